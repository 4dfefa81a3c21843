"""Measures the page at ten million entries, in Chromium, against a real daemon."""

import json
import math
import os
import sys

import page_floor
from browsing import ROOT, Session, chromium, traced
from probe import Probe
from recording import Served, recorded
from daemon import Daemon
from tracing import CATEGORIES, Trace

# How many more machines the list has.
MACHINES = int(os.environ.get("BENCH_MACHINES", "0"))

# name: (what it counts, goal as (side, bound), or None)
METRICS = {
    "inspector.open_vs_floor": (
        "times the smallest page that loads as many bytes, connects, asks the same questions, and "
        "shows as many rows as text", ("most", 1.6)),
    "inspector.open_10m_ms": (
        "milliseconds from the address to state, rows and timeline on screen", None),
    "inspector.scrub_vs_floor": (
        "times the work of a frame of that page, 95th percentiles", ("most", 1.5)),
    "inspector.scrub_work_p95_ms": (
        "milliseconds of script, style and layout a frame while dragging, 95th percentile", None),
    "inspector.scrub_long_tasks": ("tasks of more than 50 ms while dragging", ("most", 0)),
    "inspector.scrub_fresh": (
        "share of frames with the state of a cursor at most one frame old", ("least", 0.95)),
    "inspector.heap_mb": (
        "megabytes of used heap and array buffers after it, collected", ("most", 64)),
    "inspector.live_lag_p95_ms": (
        "milliseconds from an event in the app to its row, 1,000 a second, 95th percentile",
        ("most", 100)),
    "inspector.bytes": ("bytes of the whole page over the wire", None),
}

# With ten times the entries, except for what does not depend on them.
HUGE_METRICS = {
    name.replace("inspector.", "inspector.huge_").replace("_10m", ""): metric
    for name, metric in METRICS.items() if name not in ("inspector.live_lag_p95_ms",)
}


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else math.nan


def measure_huge(is_quick):
    """The same page at a hundred million entries."""
    results = measure_long(1_000_000 if is_quick else 100_000_000, is_quick)
    return {name.replace("inspector.", "inspector.huge_").replace("_10m", ""): value
            for name, value in results.items()}


def measure(is_quick):
    results = measure_long(100_000 if is_quick else 10_000_000, is_quick)
    with chromium() as browser:
        return results | measure_live(browser, 4 if is_quick else 20)


def measure_long(count, is_quick):
    """Opens and scrubs a recording of so many entries."""
    data = recorded(ROOT / ".build" / "bench", count, MACHINES)
    results = {}
    with chromium() as browser:
        with page_floor.site() as folder, Served(data, web=folder) as daemon:
            session = Session(browser, daemon)
            results |= measure_opening(session, folder, count, 3 if is_quick else 9)
            results |= measure_scrubbing(session, 5 if is_quick else 15)
    return results


def measure_opening(session, folder, count, rounds):
    """Each round opens the inspector and its floor, each without a cache."""
    ours, floor, sizes = [], [], []
    # The first round warms the daemon and the system's cache of its files, and shows what the
    # floor has to do.
    first = opening(session)
    page_floor.write_task(folder, first, first["bytes"], count - 1)
    opening(session, page_floor.PAGE)
    for round in range(rounds):
        for times, path in [(ours, ""), (floor, page_floor.PAGE)][:: -1 if round % 2 else 1]:
            opened = opening(session, path)
            times.append(opened["at"])
            if not path:
                sizes.append(opened["bytes"])
    log(f"opened in {', '.join(f'{one:.0f}' for one in ours)} ms, "
        f"the floor in {', '.join(f'{one:.0f}' for one in floor)} ms")
    return {
        "inspector.open_vs_floor": quantile(ours, 0.5) / quantile(floor, 0.5),
        "inspector.open_10m_ms": quantile(ours, 0.5), "inspector.bytes": max(sizes),
    }


def opening(session, path=""):
    """Opens a new page at the end of the recording: when it was open, and what that took."""
    with session.page(path=path) as page:
        # The browser has finished opening the window before a user types an address.
        page.wait_for_timeout(1_500)
        page.cdp.send("Network.enable")
        received, frames = [], []
        page.cdp.on("Network.loadingFinished",
                    lambda event: received.append(event["encodedDataLength"]))
        for direction in ("Sent", "Received"):
            page.cdp.on(f"Network.webSocketFrame{direction}", lambda event, way=direction.lower():
                        frames.append((way, event["response"]["payloadData"])))
        page.goto(page.address)
        session.wait(page, "() => watcher.opened > 0")
        return {
            "at": page.evaluate("watcher.opened"), "bytes": sum(received),
            "questions": page_floor.questions(frames), **page_floor.shown(page),
        }


def measure_scrubbing(session, seconds):
    """A seeded drag over the whole timeline: it shows entries that were never fetched before."""
    floor = drag(session, seconds, page_floor.PAGE)
    ours = drag(session, seconds)
    if len(ours["cursors"]) < len(ours["frames"]) / 10:
        raise AssertionError(f"the cursor hardly moved: {len(ours['cursors'])} places")
    for name, one in [("the inspector", ours), ("the floor", floor)]:
        log(f"{name}: dragged over {len(one['cursors']):,} entries in {len(one['frames'])} frames "
            f"of {seconds} s; work a frame: median {quantile(one['own'], .5):.1f} ms, p95 "
            f"{quantile(one['own'], .95):.1f} ms (by the wall clock "
            f"{quantile(one['wall'], .95):.1f} ms), most {max(one['own']):.1f} ms")
    return {
        "inspector.scrub_vs_floor": quantile(ours["own"], 0.95) / quantile(floor["own"], 0.95),
        "inspector.scrub_work_p95_ms": quantile(ours["own"], 0.95),
        "inspector.scrub_long_tasks": len(ours["long"]),
        "inspector.scrub_fresh": freshness(ours["frames"]),
        "inspector.heap_mb": ours["heap"],
    }


def drag(session, seconds, path=""):
    """Drags over the timeline of a page."""
    with session.page(path=path) as page:
        page.goto(page.address)
        session.wait(page, "() => watcher.opened > 0")
        box = page.evaluate("""() => {
            const { x, y, width, height } = document.querySelector("tt-timeline .slider")
                .getBoundingClientRect();
            return { x, y, width, height };
        }""")
        with traced(page, CATEGORIES) as trace:
            # The driver presses the button; a script in the page then moves the pointer in every frame,
            # because no driver is as steady as a hand on a busy machine.
            page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 60)
            page.mouse.down()
            page.wait_for_timeout(500)
            page.evaluate("box => { watcher.box = box; watcher.drag(4); }", box)
            page.wait_for_timeout(seconds * 1_000)
            page.evaluate("watcher.drop()")
            page.mouse.up()
        frames = page.evaluate("watcher.frames")
        page.wait_for_timeout(500)
        heap = collected_heap(page)
        if "--keep-trace" in sys.argv and not path:
            (ROOT / ".build" / "bench" / "trace.json").write_bytes(trace[0])
    seen = Trace(trace[0])
    (begin,), (dropped,) = seen.marks("drag"), seen.marks("dropped")
    own, wall = seen.frames(begin, dropped)
    return {
        "frames": frames, "cursors": {frame["cursor"] for frame in frames}, "own": own,
        "wall": wall, "long": seen.long_tasks(begin, dropped), "heap": heap,
    }


def freshness(frames):
    """The share of frames that show the state of their cursor, or of the previous frame's."""
    pairs = list(zip(frames, frames[1:]))
    return sum(
        now["shown"] in (now["cursor"], before["cursor"]) for before, now in pairs
    ) / max(1, len(pairs))


def collected_heap(page):
    page.cdp.send("HeapProfiler.enable")
    for _ in range(3):
        page.cdp.send("HeapProfiler.collectGarbage")
    usage = page.cdp.send("Runtime.getHeapUsage")
    return (usage["usedSize"] + usage.get("backingStorageSize", 0)) / 1e6


def measure_live(browser, seconds):
    """A real app with a real recorder; its events carry the time at which they were sent."""
    rate = 1_000
    with (
        Daemon(options=["--web", ROOT / "web"]) as daemon,
        Probe("paced", seconds * rate, rate, debugd=f"unix:{daemon.socket}") as app,
    ):
        app.line("ready")
        session = Session(browser, daemon)
        with session.page() as page:
            page.goto(page.address)
            session.wait(page, "() => document.querySelector('.tree-row') !== null")
            page.evaluate("watcher.isLive = watcher.isWatching = true")
            app.process.stdin.write("go\n")
            app.process.stdin.flush()
            said = app.line("played", seconds + 60)
            condition = "last => watcher.frames.at(-1)?.last >= last"
            session.wait(page, condition, seconds * rate)
            frames = page.evaluate("watcher.frames")
        first = daemon.run("list", "--json").stdout.splitlines()[0]
        timeline = json.loads(first)["header"]["timeline"]
        sent = sent_times(daemon, timeline, seconds * rate)
    lags, shown = [], -1
    for frame in frames:
        for seq in range(max(shown, 0) + 1, frame["last"] + 1):
            # The recorder and the page need the first second to warm up.
            if seq > rate:
                lags.append(frame["at"] - sent[seq])
        shown = max(shown, frame["last"])
    log(f"live: the app {' '.join(said)}; lag median {quantile(lags, .5):.0f} ms, "
        f"p95 {quantile(lags, .95):.0f} ms, most {max(lags):.0f} ms over {len(lags):,} events")
    return {"inspector.live_lag_p95_ms": quantile(lags, 0.95)}


def sent_times(daemon, timeline, count):
    """When each event was sent, in milliseconds of the wall clock, by its seq."""
    from peers import Inspector

    sent = {}
    with Inspector(daemon.socket) as inspector:
        start = 0
        while start is not None and start <= count:
            reply = inspector.ask("entries", timeline=timeline, **{"from": start}, count=1_000)
            for entry in reply["entries"]:
                if "event" in entry:
                    sent[entry["seq"]] = entry["event"]["ticked"]["at"] / 1e3
            start = reply.get("next")
    return sent


def log(line):
    print(f"  {line}", file=sys.stderr, flush=True)
