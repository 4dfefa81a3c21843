"""Measures how soon the page shows a changed past, in Chromium, against a real daemon and host."""

import json
import pathlib
import subprocess
import tempfile
import time
import uuid

from browsing import ROOT, Session, chromium
from daemon import BUILD, Daemon
from page_metrics import log
from peers import Inspector

# Beyond the entry that is left out; those are run again.
COUNT = 10_000

METRICS = {
    "replay.fork_to_screen_ms": (
        "milliseconds from the key that leaves out an entry, 10,000 before the end, to the frame "
        "that shows the branch's row and state", ("most", 100)),
}

# What the page shows of the entry at the cursor once it is in the branch.
SHOWS = """({ was, total }) => {
    const event = document.querySelector("tt-event")?.textContent ?? "";
    const tree = document.querySelector("tt-state-tree")?.textContent ?? "";
    const row = document.querySelector("tt-events .on");
    return event.includes(`originallyentry ${was}`) && tree.includes(String(total)) &&
        row !== null && !row.classList.contains("loading");
}"""

# Checks after every frame: a message that is sent in a frame's callbacks arrives behind its layout.
WATCH = """wanted => {
    const shows = %s;
    globalThis.painted = new Promise((done) => {
        let start;
        const { port1, port2 } = new MessageChannel();
        addEventListener("keydown", () => { start = performance.now(); },
            { once: true, capture: true });
        port1.onmessage = () => {
            if (start !== undefined && shows(wanted)) return done(performance.now() - start);
            requestAnimationFrame(() => port2.postMessage(0));
        };
        requestAnimationFrame(() => port2.postMessage(0));
    });
}""" % SHOWS


def added(seq):
    """What the event of an entry adds: never twice the same in a row."""
    return seq % 7 + 1


def recording(path, count):
    """A file of a machine to which numbers were added, whose host RecorderProbe is."""
    timeline = str(uuid.uuid4())
    header = {
        "timeline": timeline, "app": {"name": "Probe"},
        "machine": {
            "type": "RecorderProbe.Troubled", "name": "troubled", "kind": "states",
            "make": "RecorderProbe.Troubled.self",
        },
        "started": "2026-05-01T08:00:00Z", "format": 1,
    }
    lines = [header, {"seq": 0, "t": 0, "state": {"total": 0, "notes": []},
                      "outputState": {"isEven": True}}]
    total = 0
    for seq in range(1, count + 1):
        total += added(seq)
        state = {"total": total, "notes": []} if seq % 100 == 0 else None
        lines.append({
            "seq": seq, "t": seq * 1_000, "event": {"added": {"_0": added(seq)}},
            **({"state": state, "outputState": {"isEven": total % 2 == 0}} if state else {}),
            "patch": [{"op": "replace", "path": "/total", "value": total}],
            "outputs": [{"op": "replace", "path": "/isEven", "value": total % 2 == 0}],
        })
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return timeline


def measure(is_quick):
    rounds = 3 if is_quick else 9
    first = 100
    times = []
    options = ["--web", ROOT / "web", "--host", f"{BUILD / 'RecorderProbe'} host"]
    with tempfile.TemporaryDirectory() as place, Daemon(options=options) as daemon:
        path = pathlib.Path(place) / "a.timeline"
        timeline = recording(path, first + rounds + COUNT)
        subprocess.run(
            [BUILD / "debugd", "import", path, "--data", daemon.data],
            check=True, capture_output=True)
        with chromium() as browser:
            session = Session(browser, daemon)
            for round in range(rounds + 1):
                # Another entry each time: no branch is there already. The first round is the way of
                # the events to the host.
                seq = first + round
                with session.page(f"#timeline={timeline}&seq={seq}") as page:
                    page.goto(page.address)
                    session.wait(page, "() => watcher.opened > 0")
                    # The page rests, as it does before a hand: opening is measured elsewhere.
                    page.wait_for_timeout(500)
                    page.evaluate(WATCH, {"was": seq + 1, "total": total_without(seq)})
                    page.keyboard.press("x")
                    times.append(page.evaluate("() => painted"))
                complete(daemon)
    log(f"painted after {', '.join(f'{one:.0f}' for one in times)} ms")
    ordered = sorted(times[1:])
    return {"replay.fork_to_screen_ms": ordered[len(ordered) // 2]}


def total_without(seq):
    """The total at an entry's place when it is left out: that after the next one."""
    return sum(added(one) for one in range(1, seq + 2) if one != seq)


def complete(daemon):
    """Waits until no branch is being computed: the next round is not to share the processors."""
    with Inspector(daemon.socket) as inspector:
        while any("computing" in one for one in inspector.ask("timelines")["timelines"]):
            time.sleep(0.05)
