"""usage: chaos_team.py ROUNDS SEED: called by scripts/chaos, which starts the cluster.

Each round ends the daemon that serves the database, in one of three ways, while a program records;
its standby takes over, and it becomes the standby of that one. After each round, everything that was
acknowledged must be stored, in order and once.
"""

import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Live"))

import cluster
import takeover
from cluster import Database
from freezing import freeze
from takeover import Pair, Program


def end(daemon, database, chance):
    """Ends a daemon so that the other one takes over; returns how."""
    way = chance.choice(["killed", "stopped", "frozen"])
    if way == "stopped":
        assert daemon.stop() == 0
    elif way == "killed":
        daemon.kill()
    else:
        freeze(daemon.process)
    # Without this, the lease expires by itself.
    if way != "stopped" and chance.random() < 0.7:
        database.expire_lease()
    return way


def round_of(pair, database, program, chance):
    serving, next = pair.daemons
    begin = program.acknowledged
    program.wait_until_acknowledged(begin + chance.randint(1, 1500))
    way = end(serving, database, chance)
    acknowledged = program.acknowledged
    next.wait()
    if way == "frozen":
        serving.process.send_signal(signal.SIGCONT)
        assert serving.process.wait(120) != 0, "it was replaced, and did not end with an error"
    program.wait_until_acknowledged(acknowledged + 1)
    stored = takeover.entries(next)
    assert len(stored) >= acknowledged, f"{acknowledged} acknowledged, {len(stored)} stored"
    wrong = takeover.problem(stored, len(stored) - 1)
    assert wrong is None, wrong
    pair.wait_as_standby(serving)
    pair.daemons.reverse()
    return way, acknowledged


def main():
    rounds, seed = int(sys.argv[1]), int(sys.argv[2])
    chance, ways, began = random.Random(seed), [], time.monotonic()
    with Database() as database, Pair(database) as pair:
        with Program(pair.addresses, rate=1000) as program:
            for number in range(1, rounds + 1):
                way, acknowledged = round_of(pair, database, program, chance)
                ways.append(way)
                print(f"{number:4}  {way:8} {acknowledged:8} acknowledged, all stored", flush=True)
            sent = program.rest()
            wrong = takeover.problem(takeover.entries(pair.daemons[0]), sent)
            assert wrong is None, wrong
    counts = ", ".join(f"{ways.count(way)} {way}" for way in sorted(set(ways)))
    print(f"{rounds} failovers ({counts}), {sent + 1} entries once each, seed {seed}, "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
