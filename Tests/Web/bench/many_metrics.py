"""Measures how the page opens when the daemon has very many timelines."""

import json
import pathlib
import shutil
import sys
import uuid

from browsing import ROOT, Session, chromium
from page_metrics import collected_heap, log, quantile
from peers import Recorder
from recording import HEADER, Served

METRICS = {
    "many.page_open_ms_100k": (
        "milliseconds from the address to state, rows and timeline, with 100,000 timelines", None),
    "many.page_open_growth": ("times that with a hundred timelines", None),
    "many.page_heap_mb_100k": ("megabytes of used heap and array buffers then, collected", None),
}

# As many as one recorder may have open.
AT_ONCE = 500


def timelines(folder, count):
    """The data directory with so many short timelines; made when it is not there yet."""
    data = pathlib.Path(folder) / f"timelines-{count}"
    if (data / "complete").exists():
        return data
    print(f"Recording {count:,} timelines once, into {data}.", file=sys.stderr, flush=True)
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700, parents=True)
    with Served(data) as daemon:
        with Recorder(daemon.socket) as recorder:
            for start in range(0, count, AT_ONCE):
                record(recorder, [str(uuid.uuid4()) for _ in range(min(AT_ONCE, count - start))])
        daemon.stop(120)
    (data / "complete").write_text(json.dumps({"timelines": count}))
    return data


def record(recorder, ids):
    for one in ids:
        recorder.open(HEADER | {"timeline": one})
        recorder.append(one, [
            '{"seq":0,"t":0,"state":{"total":0}}',
            '{"seq":1,"t":9,"event":{"paid":{"amount":1}},'
            '"patch":[{"op":"replace","path":"/total","value":1}]}',
        ])
    for one in ids:
        recorder.wait_until_durable(one, 1)
        recorder.close_timeline(one)


def measure(is_quick):
    folder = ROOT / ".build" / "bench"
    few = opened(timelines(folder, 100), is_quick)
    many = opened(timelines(folder, 1_000 if is_quick else 100_000), is_quick)
    return {
        "many.page_open_ms_100k": many["at"], "many.page_open_growth": many["at"] / few["at"],
        "many.page_heap_mb_100k": many["heap"],
    }


def opened(data, is_quick):
    times, heap = [], 0
    with chromium() as browser, Served(data) as daemon:
        session = Session(browser, daemon)
        for round in range(3 if is_quick else 7):
            with session.page() as page:
                page.wait_for_timeout(1_500)
                page.goto(page.address)
                session.wait(page, "() => watcher.opened > 0")
                # The first round warms the daemon and the system's cache of its files.
                if round:
                    times.append(page.evaluate("watcher.opened"))
                heap = collected_heap(page)
    log(f"opened in {', '.join(f'{one:.0f}' for one in times)} ms")
    return {"at": quantile(times, 0.5), "heap": heap}
