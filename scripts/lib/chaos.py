"""usage: chaos.py PROBE ENTRIES SEED: called by scripts/chaos after it built the probe."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
DAEMON = os.path.join(ROOT, "Tests/Oracles/recorder_daemon.py")


def start(folder, *more):
    daemon = subprocess.Popen(
        [sys.executable, "-B", DAEMON, folder, "--socket", os.path.join(folder, "recorder.sock"),
         *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if not daemon.stdout.readline().startswith("ready"):
        sys.exit("the daemon did not start")
    os.set_blocking(daemon.stdout.fileno(), False)
    return daemon


def end(daemon, complaints):
    daemon.send_signal(signal.SIGKILL)
    daemon.wait()
    complaints += [line for line in daemon.stdout.readlines() if line.startswith("complaint")]


def count(path, entries):
    """The numbers of stored and lost entries in a file, or its first problem."""
    last, kept, lost = -1, 0, 0
    with open(path, encoding="utf-8") as lines:
        json.loads(lines.readline())
        for line in lines:
            entry = json.loads(line)
            gap = entry.get("gap", {}).get("lost", 0)
            if entry["seq"] != last + gap + 1:
                sys.exit(f"{entry['seq']} follows {last} with a gap of {gap}")
            last, kept, lost = entry["seq"], kept + 1, lost + gap
    if last != entries - 1:
        sys.exit(f"the last entry is {last}")
    return kept, lost


def main():
    probe, entries, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o700)
    complaints, kills, began = [], 0, time.monotonic()
    try:
        daemon = start(folder, "--chaos", str(seed))
        recorder = subprocess.Popen(
            [probe, "flood", f"unix:{folder}/recorder.sock", str(entries), str(8 << 20), "120"],
            stdout=subprocess.PIPE, text=True)
        while recorder.poll() is None and kills < 20:
            try:
                recorder.wait(chance.uniform(0.2, 1.0))
            except subprocess.TimeoutExpired:
                kills += 1
                if chance.random() < 0.5:
                    # First it is suspended, as in a debugger.
                    daemon.send_signal(signal.SIGSTOP)
                    time.sleep(chance.uniform(0, 0.5))
                    daemon.send_signal(signal.SIGCONT)
                    time.sleep(chance.uniform(0, 0.1))
                end(daemon, complaints)
                time.sleep(chance.uniform(0, 0.1))
                daemon = start(folder, *([] if kills == 20 else ["--chaos", str(seed + kills)]))
        words = recorder.communicate(timeout=300)[0]
        end(daemon, complaints)
        print(words, end="")
        if complaints:
            sys.exit("".join(complaints))
        name = words.split("timeline ")[1].split()[0]
        kept, lost = count(os.path.join(folder, f"{name}.timeline"), entries)
        seconds = time.monotonic() - began
        print(f"{kept} entries once each and {lost} reported as lost, {kills} kills, {seconds:.0f} s")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
