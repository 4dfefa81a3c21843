"""Measures the HTML file of a timeline: from the address to rows, state, and lanes on the screen."""

import base64
import contextlib
import functools
import gzip
import json
import math
import os
import pathlib
import subprocess
import tempfile

from browsing import ROOT, WATCHER, Session, chromium
from daemon import BUILD
import in_firefox
from page_metrics import log, quantile
from recording import HEADER

METRICS = {
    "html.open_ms_10mb": (
        "milliseconds from the address of a file with 10 MB of timeline to state, rows and timeline",
        ("most", 1_000)),
    "html.open_vs_floor": (
        "times the smallest page that decodes as many bytes, parses each line, and shows as many "
        "rows as text", None),
    "html.open_cpu_ms": ("milliseconds of processor time of the page and its worker for that", None),
    "html.open_cpu_vs_floor": ("times the processor time of the smallest page", None),
    "html.firefox_open_ms_10mb": ("milliseconds for the same in Firefox", ("most", 1_000)),
    "html.firefox_open_vs_floor": ("times the smallest page in Firefox", None),
}

FLOOR = pathlib.Path(__file__).resolve().parent / "file-floor"


def write(path, megabytes):
    """A timeline of at least that size, with the state as often as a recorder writes it."""
    state = {"n": 0, "last": "", "items": [{"id": n, "name": f"Item {n}"} for n in range(20)]}
    with open(path, "w", encoding="utf-8") as file:
        size = file.write(json.dumps(HEADER) + "\n")
        seq, spent = -1, math.inf
        while size < megabytes * 1_000_000:
            seq += 1
            entry = {"seq": seq, "t": seq * 1_000}
            if seq > 0:
                state |= {"n": seq, "last": f"tick {seq * 7_919 % 997}"}
                entry["event"] = {"ticked": {"id": seq * 7_919 % 1_000_003}}
                entry["patch"] = [{"op": "replace", "path": f"/{key}", "value": state[key]}
                                  for key in ("n", "last")]
                spent += len(json.dumps(entry["patch"]))
            # Once the patches since the last one are as long as the state.
            if spent >= len(json.dumps(state)):
                entry["state"], spent = state, 0
            size += file.write(json.dumps(entry, separators=(",", ":")) + "\n")
    return seq


def write_floor(path, timeline, bytes):
    """The smallest page with the same timeline, as large as the file that it is compared with."""
    packed = base64.b64encode(gzip.compress(timeline.read_bytes(), 9)).decode()
    page = (FLOOR / "page.html").read_text("utf-8")
    script = (FLOOR / "script.js").read_text("utf-8")
    ballast = max(0, bytes - len(page) - len(packed) - len(script))
    for element, text in (("gzip\" id=\"timeline\">", packed), ("ballast\">", "x" * ballast),
                          ("module\">", script)):
        page = page.replace(element, element + text)
    path.write_text(page, "utf-8")


def measure(is_quick):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        timeline, ours, floor = (folder / name for name in ("t.timeline", "t.html", "floor.html"))
        last = write(timeline, 1 if is_quick else 10)
        subprocess.run([BUILD / "debugd", "export", timeline, "-o", ours], check=True,
                       capture_output=True, env=os.environ | {"DEBUGD_WEB": str(ROOT / "web")})
        write_floor(floor, timeline, ours.stat().st_size)
        rounds = 4 if is_quick else 10
        with chromium() as browser:
            (wall, floor_wall), (cpu, floor_cpu) = medians(
                functools.partial(opening, browser, last=last), ours, floor, rounds)
        with in_firefox.firefox() as browser:
            ((firefox, firefox_floor),) = medians(
                functools.partial(in_firefox.opening, browser, last=last), ours, floor, rounds)
    return {
        "html.open_ms_10mb": wall, "html.open_vs_floor": wall / floor_wall,
        "html.open_cpu_ms": cpu, "html.open_cpu_vs_floor": cpu / floor_cpu,
        "html.firefox_open_ms_10mb": firefox, "html.firefox_open_vs_floor": firefox / firefox_floor,
    }


def medians(open_file, ours, floor, rounds):
    """For each time that an opening takes, its medians for both files. The first round does not count."""
    opened = {ours: [], floor: []}
    for round in range(rounds):
        for path in [ours, floor][:: -1 if round % 2 else 1]:
            one = open_file(path)
            if round:
                opened[path].append(one)
    for path, times in opened.items():
        shown = ", ".join("/".join(f"{part:.0f}" for part in one) for one in times)
        log(f"{path.name}: opened in {shown} ms")
    return zip(*([quantile(part, 0.5) for part in zip(*opened[path])] for path in (ours, floor)))


def opening(browser, path, last):
    """Opens a file in a new page: when it was open, and the processor time of its process."""
    with contextlib.closing(browser.new_context(viewport={"width": 1440, "height": 860})) as context:
        context.add_init_script(WATCHER)
        page = context.new_page()
        # The browser has finished opening the window before a user opens a file.
        page.wait_for_timeout(1_500)
        before = renderer_time(browser)
        page.goto(f"file://{path}")
        Session.wait(page, "() => watcher.opened > 0")
        shown = page.evaluate("document.querySelector('tt-timeline .slider').ariaValueNow")
        if shown != str(last):
            raise AssertionError(f"the page shows entry {shown}, not {last}")
        return page.evaluate("watcher.opened"), renderer_time(browser) - before


def renderer_time(browser):
    """The processor time of all renderers so far, in milliseconds."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return sum(one["cpuTime"] for one in processes if one["type"] == "renderer") * 1_000
