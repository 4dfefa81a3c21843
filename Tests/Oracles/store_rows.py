"""Reads a store's database with Python's sqlite3 and the zstd program.

A line is `<database> <output>`: the script reads the entries of all timelines from the rows of chunks
and tails, and writes them to the output, one JSON object a line. The answer is a summary of the rows,
or what is wrong with them.
"""

import json
import sqlite3
import subprocess
import sys


def unpack(frame):
    done = subprocess.run(["zstd", "-d", "-c", "-q"], input=frame, capture_output=True)
    if done.returncode != 0:
        raise ValueError(f"zstd: {done.stderr.decode()}")
    return done.stdout


def lines_of(connection, row):
    """All lines of one timeline in order, and what is wrong with the rows that contain them."""
    runs, faults = [], []
    for first, last, t0, t1, size, keyframes, packed in connection.execute(
        "SELECT first, last, t0, t1, bytes, keyframes, lines FROM chunk WHERE timeline = ? ORDER BY last", (row,)
    ):
        text = unpack(packed)
        entries = [json.loads(line) for line in text.splitlines()]
        if len(text) != size:
            faults.append(f"chunk {first} has {len(text)} bytes, not {size}")
        if [e["seq"] for e in entries] != list(range(first, last + 1)):
            faults.append(f"chunk {first} does not hold {first} to {last}")
        if (entries[0]["t"], entries[-1]["t"]) != (t0, t1):
            faults.append(f"chunk {first} has other times")
        if keyframe_places(keyframes) != [i for i, e in enumerate(entries) if "state" in e]:
            faults.append(f"chunk {first} has other keyframes")
        runs.append((first, text))
    for first, last, t, text in connection.execute(
        "SELECT first, last, t, lines FROM tail WHERE timeline = ? ORDER BY last", (row,)
    ):
        entries = [json.loads(line) for line in text.splitlines()]
        if [e["seq"] for e in entries] != list(range(first, last + 1)) or entries[-1]["t"] != t:
            faults.append(f"the row of the tail at {first} says something else")
        runs.append((first, text))
    if runs != sorted(runs):
        faults.append("runs overlap")
    return b"".join(text for _, text in runs), faults


def keyframe_places(blob):
    numbers, value, shift = [], 0, 0
    for byte in blob:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value, shift = 0, 0
    places, place = [], 0
    for step in numbers[::2]:
        place += step
        places.append(place)
    return places


for line in open(sys.argv[1]):
    database, output = line.split()
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    faults = [r[0] for r in connection.execute("PRAGMA integrity_check") if r[0] != "ok"]
    chunks = connection.execute("SELECT count(*) FROM chunk").fetchone()[0]
    with open(output, "wb") as file:
        for (row,) in connection.execute("SELECT id FROM timeline WHERE phase = 0 ORDER BY uuid").fetchall():
            text, wrong = lines_of(connection, row)
            file.write(text)
            faults += wrong
    connection.close()
    print(json.dumps({"chunks": chunks, "faults": faults}))
