"""Programs that record the same entries, each in its own process: `contenders.py NAME COUNT FOLDER`.

Each prints the seconds until everything is saved, the bytes on disk, and its own peak memory.
"""

import json
import pathlib
import resource
import sqlite3
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "Web" / "bench"), str(ROOT / "Tests" / "Live")]

BATCH = 600


def batches(lines):
    for start in range(0, len(lines), BATCH):
        yield start, lines[start:start + BATCH]


def stateline(lines, folder):
    """A recorder in Python and debugd, which checks, packs, and indexes the entries."""
    from daemon import Daemon
    from peers import Recorder
    from recording import HEADER, TIMELINE

    with Daemon(data=folder / "data") as daemon:
        start = time.perf_counter()
        with Recorder(daemon.socket) as recorder:
            recorder.open(HEADER)
            for _, batch in batches(lines):
                recorder.append(TIMELINE, batch)
            recorder.wait_until_durable(TIMELINE, len(lines) - 1)
            seconds = time.perf_counter() - start
            recorder.close_timeline(TIMELINE)
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
        peak = int(status.split("VmHWM:")[1].split()[0]) / 1_024
        # At the end the store packs the rest.
        daemon.stop()
    return seconds, peak


def rerun(lines, folder):
    """rerun-sdk, one call for each entry."""
    import rerun as rr

    rr.init("payments")
    rr.save(folder / "entries.rrd")
    start = time.perf_counter()
    for seq, line in enumerate(lines):
        rr.set_time("seq", sequence=seq)
        rr.log("bank", rr.TextLog(line))
    rr.disconnect()
    return time.perf_counter() - start, 0


def rerun_columns(lines, folder):
    """rerun-sdk, one call for each batch."""
    import rerun as rr

    rr.init("payments")
    rr.save(folder / "entries.rrd")
    start = time.perf_counter()
    for first, batch in batches(lines):
        rr.send_columns(
            "bank", indexes=[rr.TimeColumn("seq", sequence=range(first, first + len(batch)))],
            columns=rr.TextLog.columns(text=batch))
    rr.disconnect()
    return time.perf_counter() - start, 0


def sqlite(lines, folder):
    """SQLite, a row for each entry, a durable transaction for each batch."""
    database = sqlite3.connect(folder / "entries.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    start = time.perf_counter()
    for first, batch in batches(lines):
        database.execute("BEGIN")
        database.executemany("INSERT INTO entries VALUES (?, ?)", enumerate(batch, first))
        database.execute("COMMIT")
    seconds = time.perf_counter() - start
    database.close()
    return seconds, 0


def printed(lines, folder):
    """`print` into a file."""
    with open(folder / "entries.txt", "w") as file:
        start = time.perf_counter()
        for line in lines:
            print(line, file=file)
        file.flush()
        return time.perf_counter() - start, 0


CONTENDERS = {
    "stateline": stateline, "rerun": rerun, "rerun_columns": rerun_columns, "sqlite": sqlite,
    "print": printed,
}


def main(name, count, folder):
    from recording import lines as payments

    lines = list(payments(int(count)))
    folder = pathlib.Path(folder)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    seconds, others = CONTENDERS[name](lines, folder)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(json.dumps({
        "entries_per_s": len(lines) / seconds, "bytes": size / len(lines),
        # Of the program that records, without the entries; and of a daemon.
        "mb": max(0, own - before) + others,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
