"""A recording of millions of entries in a daemon's data directory, made once and kept."""

import json
import pathlib
import random
import shutil
import sys
import tempfile
import uuid

from daemon import ROOT, Daemon
from peers import Recorder

TIMELINE = "5b0c9e1a-7d42-4f86-9a1b-3c5d7e9f1a2b"
ACCOUNTS = 40
LANES = {
    "paid": "money", "refunded": "money", "opened": "user", "closed": "user",
    "synced": "network", "ticked": "timer",
}
NAMES = ["paid"] * 5 + ["ticked"] * 4 + ["synced"] * 2 + ["opened", "closed", "refunded"]

HEADER = {
    "timeline": TIMELINE,
    "app": {"name": "Payments"},
    "machine": {"type": "Payments.Bank", "name": "bank", "kind": "states"},
    "started": "2026-05-01T08:00:00Z",
    "outputs": {"total": "ui"},
    "lanes": LANES,
    "format": 1,
}

# Lines of one message, about 100 KB.
BATCH = 600

# Other machines that record at the same time: fewer than a recorder may have open.
OTHERS_AT_ONCE = 100


def lines(count):
    """The same lines in every run: about 170 bytes, states of 2 KB, keyframes by the rule."""
    chance = random.Random(9)
    number = chance.random
    balances = [1_000] * ACCOUNTS
    time = total = written = size = 0
    for seq in range(count):
        if seq:
            time += int(number() * number() * 800)
        account = int(number() * ACCOUNTS)
        amount = int(number() * 1_000)
        balance = balances[account] = balances[account] + amount - 500
        event = (f'"event":{{"{NAMES[int(number() * len(NAMES))]}":'
                 f'{{"amount":{amount},"to":{account}}}}},' if seq else "")
        patch = (f'"patch":[{{"op":"replace","path":"/accounts/{account}/balance",'
                 f'"value":{balance}}}],' if seq else "")
        # One in eight changes the machine's outputs.
        if seq and amount < 125:
            total = amount
            patch += f'"outputs":[{{"op":"replace","path":"/total","value":{total}}}],'
        written += len(patch)
        state = ""
        if written >= size:
            accounts = ",".join(
                f'{{"id":{index},"owner":"customer {index}","balance":{value}}}'
                for index, value in enumerate(balances))
            state = f'"state":{{"accounts":[{accounts}]}},"outputState":{{"total":{total}}},'
            written, size = 0, len(state)
        error = '"error":"BankError.closed",' if seq % 200_003 == 777 else ""
        yield (f'{{"seq":{seq},"t":{time},{event}{state}{patch}{error}'
               f'"ns":{300 + amount},"origin":"app"}}')


def record(daemon, count):
    with Recorder(daemon.socket) as recorder:
        recorder.open(HEADER)
        batch = []
        for seq, line in enumerate(lines(count)):
            batch.append(line)
            if len(batch) == BATCH or seq == count - 1:
                recorder.append(TIMELINE, batch)
                batch = []
                if seq % 1_000_200 == BATCH - 1 and seq > BATCH:
                    print(f"  {seq + 1:,} of {count:,} entries", file=sys.stderr, flush=True)
        recorder.wait_until_durable(TIMELINE, count - 1)
        recorder.close_timeline(TIMELINE)


def record_others(daemon, machines):
    """Records older machines, each with a few entries."""
    with Recorder(daemon.socket) as recorder:
        for first in range(0, machines, OTHERS_AT_ONCE):
            timelines = []
            for number in range(first, min(first + OTHERS_AT_ONCE, machines)):
                timelines.append(str(uuid.uuid5(uuid.UUID(TIMELINE), str(number))))
                recorder.open(HEADER | {
                    "timeline": timelines[-1], "started": "2026-04-01T08:00:00Z",
                    "machine": HEADER["machine"] | {"name": f"branch office {number}"}})
                recorder.append(timelines[-1], list(lines(3)))
            for timeline in timelines:
                recorder.wait_until_durable(timeline, 2)
                recorder.close_timeline(timeline)


def recorded(folder, count, machines=0):
    """The data directory with so many entries, and perhaps more machines; made when it is not there yet."""
    data = pathlib.Path(folder) / (f"payments-{count}" + (f"-{machines}" if machines else ""))
    if (data / "complete").exists():
        return data
    if machines:
        alone = recorded(folder, count)
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(alone, data, ignore=shutil.ignore_patterns("complete"))
        with Served(data) as daemon:
            record_others(daemon, machines)
            daemon.stop(120)
        (data / "complete").write_text(json.dumps({"entries": count, "machines": machines}))
        return data
    print(f"Recording {count:,} entries once, into {data}.", file=sys.stderr, flush=True)
    shutil.rmtree(data, ignore_errors=True)
    data.parent.mkdir(parents=True, exist_ok=True)
    data.mkdir(mode=0o700)
    with Served(data) as daemon:
        record(daemon, count)
        daemon.stop(120)
    (data / "complete").write_text(json.dumps({"entries": count}))
    return data


class Served(Daemon):
    """A daemon on data that stays. Its socket is elsewhere: the path of one is short."""

    def __init__(self, data, web=ROOT / "web"):
        self.place = tempfile.TemporaryDirectory(prefix="dbg")
        super().__init__(data=data, options=[
            "--socket", f"{self.place.name}/recorder.sock", "--web", web,
        ])
        self.log = pathlib.Path(self.place.name) / "log"

    @property
    def socket(self):
        return pathlib.Path(self.place.name) / "recorder.sock"

    def __exit__(self, *words):
        super().__exit__(*words)
        self.place.cleanup()
