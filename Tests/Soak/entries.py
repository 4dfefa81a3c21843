"""Counts the entries that arrived, in the files of `debugd export` and the output of `debugd tail`."""

import json
import re
import time

# Recorders per process: enough to show that they do not disturb each other, and few enough that a
# leak in one shows in the memory of its process.
PER_PROCESS = 5


def problems(parts, sent):
    """Problems with the stored entries. `sent`: how many events each process sent to a machine."""
    timelines = parts.timelines()
    found = []
    for number in range(parts.recorders):
        name = f"pulse-{number}"
        if name not in timelines:
            found.append(f"{name} has no timeline")
            continue
        text = parts.daemon.run("export", timelines[name], "--as", "json-lines", timeout=600).stdout
        found += timeline_problems(name, text, sent[number // PER_PROCESS])
    return found


def timeline_problems(name, text, sent):
    """Problems with one exported timeline: entry N has the seq N, and the event N."""
    count = -1
    for line in text.splitlines():
        entry = json.loads(line)
        if "seq" not in entry:
            continue
        count += 1
        if entry["seq"] != count:
            return [f"{name}: entry {entry['seq']} is where {count} should be"]
        event = entry.get("event")
        if count > 0 and event != {"beat": {"_0": count}}:
            return [f"{name}: entry {count} has the event {event}"]
    if count != sent:
        return [f"{name}: {count} events arrived of {sent}"]
    return []


def tail_problems(parts, sent):
    """Problems with the followers' output; `debugd tail` may still have lines to print."""
    found = []
    for number, tail in enumerate(parts.tails):
        want = sent[number // PER_PROCESS]
        deadline = time.monotonic() + 120
        while seqs(tail.lines)[-1:] != [want] and time.monotonic() < deadline:
            parts.page.wait(0.1)
        shown = [seq for seq in seqs(tail.lines) if seq > 0]
        if shown != list(range(1, want + 1)):
            found.append(f"pulse-{number}: {len(shown)} of {want} lines, "
                         f"{want - len(set(shown))} missing")
    return found


def seqs(lines):
    return [int(found.group(1)) for line in lines if (found := re.match(r"\s*(\d+)\s", line))]
