"""Measures the page with a large state."""

import json
import pathlib
import subprocess
import tempfile

from browsing import ROOT, Session, chromium
from daemon import BUILD, Daemon
from page_metrics import collected_heap, log, quantile
from recording import HEADER

METRICS = {
    "large.page_open_ms_100mb": (
        "milliseconds from the address to rows and a state of 100 MB, cut", None),
    "large.page_open_growth": ("times that with a state of 1 MB", None),
    "large.page_heap_mb_100mb": ("megabytes of used heap and array buffers then, collected", None),
}

BYTES_OF_ITEM = 100


def write(path, megabytes):
    """A timeline whose state is a list of that size, with a hundred small changes."""
    count = megabytes * 1_000_000 // BYTES_OF_ITEM
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(HEADER) + "\n")
        file.write('{"seq":0,"t":0,"state":{"items":[')
        for index in range(count):
            name = f"Item {index} {index * 7_919 % 1_000_003}".ljust(50, ".")
            file.write(("," if index else "") + f'{{"id":{index},"name":"{name}","count":0,'
                       f'"price":{index % 9_973}.25}}')
        file.write("]}}\n")
        for seq in range(1, 100):
            file.write(
                f'{{"seq":{seq},"t":{seq * 1_000},"event":{{"counted":{{"at":{seq}}}}},"patch":['
                f'{{"op":"replace","path":"/items/{seq}/count","value":{seq}}}]}}\n')


def measure(is_quick):
    small = opened(1, is_quick)
    large = opened(4 if is_quick else 100, is_quick)
    return {
        "large.page_open_ms_100mb": large["at"],
        "large.page_open_growth": large["at"] / small["at"],
        "large.page_heap_mb_100mb": large["heap"],
    }


def opened(megabytes, is_quick):
    times, heap = [], 0
    options = ["--web", ROOT / "web"]
    with tempfile.TemporaryDirectory() as place, Daemon(options=options) as daemon:
        path = pathlib.Path(place) / "large.timeline"
        write(path, megabytes)
        subprocess.run([BUILD / "debugd", "import", path, "--data", daemon.data],
                       check=True, capture_output=True)
        with chromium() as browser:
            session = Session(browser, daemon)
            for round in range(3 if is_quick else 6):
                with session.page() as page:
                    page.wait_for_timeout(1_500)
                    page.goto(page.address)
                    session.wait(page, "() => watcher.opened > 0")
                    if round:
                        times.append(page.evaluate("watcher.opened"))
                    heap = collected_heap(page)
    log(f"{megabytes} MB: opened in {', '.join(f'{one:.0f}' for one in times)} ms")
    return {"at": quantile(times, 0.5), "heap": heap}
