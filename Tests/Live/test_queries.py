"""A recorder, the daemon, and an inspector in three processes: queries find what was recorded."""

import json
import random
import unittest

import jsonpatch
import jsonpointer

from daemon import Daemon
from model import MISSING, World, dumps, same
from peers import Inspector, Recorder, Refused

PREDICATES = [
    ('event == "flip"', lambda world, seq: world.name(seq) == "flip"),
    ("error != null", lambda world, seq: "error" in world.entries[seq]),
    ('origin == "timer"', lambda world, seq: world.entries[seq].get("origin") == "timer"),
    ("state.count == 9007199254740993", lambda world, seq: world.at(seq, "/state/count") == 2**53 + 1),
    ('outputs.side == "Tails"', lambda world, seq: world.at(seq, "/outputs/side") == "Tails"),
    ('anywhere == "Tails"', lambda world, seq: "Tails" in leaves(world, seq)),
    ("anywhere == 9007199254740993", lambda world, seq: 2**53 + 1 in leaves(world, seq)),
]


def leaves(world, seq):
    """The strings and numbers of an event, and of the state and the outputs after it."""
    found, rest = [], [world.entries[seq].get("event"), world.moments[seq]]
    while rest:
        value = rest.pop()
        if isinstance(value, (dict, list)):
            rest += value.values() if isinstance(value, dict) else value
        elif not isinstance(value, bool):
            found.append(value)
    return found


class Queries(unittest.TestCase):
    def test_answers_equal_those_of_the_naive_model(self):
        for seed in range(3):
            with self.subTest(seed=seed), Daemon() as daemon:
                self.play(daemon, seed)

    def play(self, daemon, seed):
        """A random sequence of operations, each result compared with the model."""
        chance = random.Random(1000 + seed)
        world = World(seed)
        recorder = Recorder(daemon.socket)
        recorder.open(world.header)
        inspector = Inspector(daemon.socket)
        self.append(recorder, world, 40)
        for _ in range(60):
            kind = chance.randrange(10)
            if kind < 3:
                self.append(recorder, world, chance.choice([1, 7, 60, 400]))
            elif kind == 3 and chance.random() < 0.3:
                # Killed, not stopped: acknowledged entries are there again.
                daemon.kill()
                daemon.start()
                recorder = Recorder(daemon.socket, [world.id])
                self.assertEqual(recorder.welcome["durable"], {world.id: world.seq})
                recorder.open(world.header)
                inspector = Inspector(daemon.socket)
            else:
                self.check_random_query(inspector, world, chance)
        self.check_everywhere(inspector, world)
        recorder.close_timeline(world.id)
        inspector.ask("delete", timeline=world.id)
        self.assertEqual(inspector.ask("timelines")["timelines"], [])
        with self.assertRaises(Refused) as refused:
            inspector.ask("state", timeline=world.id, seq=0)
        self.assertEqual(refused.exception.code, "not-found")

    def append(self, recorder, world, count):
        recorder.append(world.id, world.grow(count))
        recorder.wait_until_durable(world.id, world.seq)

    def check_random_query(self, inspector, world, chance):
        seq = chance.randint(0, world.seq)
        path = chance.choice(world.paths())
        chance.choice(
            [
                lambda: self.check_state(inspector, world, seq, path),
                lambda: self.check_raw(inspector, world, seq),
                lambda: self.check_entries(inspector, world, seq, chance.randint(1, 60)),
                lambda: self.check_backward(inspector, world, seq, chance.randint(1, 60)),
                lambda: self.check_changes(inspector, world, path, seq, chance.randint(1, 9)),
                lambda: self.check_find(inspector, world, seq, *chance.choice(PREDICATES)),
                lambda: self.check_filter(inspector, world, seq, *chance.choice(PREDICATES)),
                lambda: self.check_column(inspector, world, seq, chance.randint(1, 50), path),
                lambda: self.check_overview(inspector, world, seq, chance.randint(1, 50)),
                lambda: self.check_diff(inspector, world, seq, chance.randint(0, world.seq)),
            ]
        )()

    def check_everywhere(self, inspector, world):
        for path in world.paths():
            changed, unknown = world.changes(path)
            found, unsure, after = [], set(), 0
            while after is not None:
                answer = inspector.ask(
                    "changes", timeline=world.id, path=path, after=after, limit=500
                )
                found += [change["seq"] for change in answer["changes"]]
                unsure |= set(spread(answer.get("unknown", [])))
                after = found[-1] if answer.get("more") else None
            self.assertEqual(found, changed, path)
            self.assertEqual(sorted(unsure), unknown, path)
        for text, holds in PREDICATES:
            found, at = [], 0
            while at is not None:
                answer = inspector.ask(
                    "find", timeline=world.id, predicate=text, **{"from": at}, limit=500
                )
                found += answer["seqs"]
                at = answer.get("next")
            expected = [
                seq for seq in range(world.seq + 1)
                if known(world, seq, text) and holds(world, seq)
            ]
            self.assertEqual(found, expected, text)

    def check_state(self, inspector, world, seq, path):
        if world.moments[seq] is None:
            with self.assertRaises(Refused) as refused:
                inspector.ask("state", timeline=world.id, seq=seq, path=path)
            expected = "thinned" if world.entries[seq] else "not-found"
            self.assertIn(refused.exception.code, [expected, "thinned"])
            return
        answer = inspector.ask("state", timeline=world.id, seq=seq, path=path)
        value = answer.get("value", MISSING)
        expected = world.at(seq, path)
        self.assertTrue(same(value, expected), (seq, path, value, expected))
        whole = inspector.ask("state", timeline=world.id, seq=seq)["value"]
        self.assertTrue(same(whole, world.moments[seq]), (seq, whole))

    def check_raw(self, inspector, world, seq):
        if world.entries[seq] is None:
            with self.assertRaises(Refused):
                inspector.ask("raw", timeline=world.id, seq=seq)
            return
        id = inspector.begin("raw", timeline=world.id, seq=seq)
        frame = inspector.socket.recv(timeout=60)
        # The very bytes that were sent, not just an equal value.
        line = dumps(world.entries[seq])
        self.assertIn(f'"re":{id}', frame)
        self.assertIn(line, frame)

    def check_entries(self, inspector, world, seq, count):
        answer = inspector.ask("entries", timeline=world.id, **{"from": seq}, count=count)
        expected = [e["seq"] for e in world.entries[seq:] if e][:count]
        self.assertEqual([entry["seq"] for entry in answer["entries"]], expected)
        for entry in answer["entries"]:
            stored = world.entries[entry["seq"]]
            if "state" in stored and "patch" not in stored:
                # Otherwise it would look like an entry that was not captured.
                self.assertEqual(list(entry["state"]), ["$cut"])
            else:
                self.assertNotIn("state", entry)
            for key in set(stored) - {"state", "outputState"}:
                self.assertTrue(same(entry[key], stored[key]), (key, entry))

    def check_backward(self, inspector, world, seq, count):
        answer = inspector.ask(
            "entries", timeline=world.id, **{"from": seq}, count=count, direction="backward"
        )
        expected = [e["seq"] for e in world.entries[: seq + 1] if e][::-1][:count]
        self.assertEqual([entry["seq"] for entry in answer["entries"]], expected)

    def check_changes(self, inspector, world, path, seq, limit):
        changed, _ = world.changes(path)
        answer = inspector.ask("changes", timeline=world.id, path=path, before=seq, limit=limit)
        expected = [s for s in changed if s < seq][::-1][:limit]
        self.assertEqual([change["seq"] for change in answer["changes"]], expected, (path, seq))
        for change in answer["changes"]:
            self.assertTrue(same(change.get("old", MISSING), world.at(change["seq"] - 1, path)))
            self.assertTrue(same(change.get("new", MISSING), world.at(change["seq"], path)))
        answer = inspector.ask("changes", timeline=world.id, path=path, after=seq, limit=limit)
        expected = [s for s in changed if s > seq][:limit]
        self.assertEqual([change["seq"] for change in answer["changes"]], expected, (path, seq))

    def check_find(self, inspector, world, seq, text, holds):
        answer = inspector.ask(
            "find", timeline=world.id, predicate=text, **{"from": seq}, direction="backward"
        )
        expected = [
            s for s in range(seq, -1, -1) if known(world, s, text) and holds(world, s)
        ][:1]
        self.assertEqual(answer["seqs"], expected, (text, seq))
        for leaf in answer.get("leaves", []):
            self.assertIn(leaf["seq"], expected)
            side, _, path = leaf["path"][1:].partition("/")
            whole = {"event": world.entries[leaf["seq"]].get("event")} | world.moments[leaf["seq"]]
            value = jsonpointer.resolve_pointer(whole[side], "/" + path if path else "")
            self.assertIn(json.dumps(value), text)
        self.assertEqual(len(answer.get("leaves", [])), len(expected) if "anywhere" in text else 0)

    def check_filter(self, inspector, world, seq, text, holds):
        found, at = [], seq
        while at is not None and len(found) < 50:
            answer = inspector.ask(
                "entries", timeline=world.id, **{"from": at}, count=20, filter=text
            )
            found += [entry["seq"] for entry in answer["entries"]]
            at = answer.get("next")
        expected = [
            s for s in range(seq, world.seq + 1) if known(world, s, text) and holds(world, s)
        ]
        self.assertEqual(found[:50], expected[:50], text)

    def check_column(self, inspector, world, seq, count, path):
        answer = inspector.ask(
            "column", timeline=world.id, paths=[path], **{"from": seq}, count=count
        )
        unknown = set(spread(answer.get("unknown", [])))
        last = min(seq + count - 1, world.seq)
        column = answer["columns"][0]
        self.assertEqual(len(column), last - seq + 1)
        for s in range(seq, last + 1):
            if world.moments[s] is None:
                self.assertIn(s, unknown)
                continue
            value = world.at(s, path)
            wanted = None if value is MISSING else value
            self.assertTrue(same(column[s - seq], wanted), (s, path, column[s - seq], wanted))

    def check_overview(self, inspector, world, seq, buckets):
        last = min(world.seq, seq + 333)
        head, data = inspector.ask(
            "overview", timeline=world.id, **{"from": seq}, to=last, buckets=buckets, by="seq"
        )
        numbers = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
        columns = [numbers[i : i + buckets] for i in range(0, len(numbers), buckets)]
        self.assertEqual(len(columns), 5 + len(head["lanes"]))
        expected = [[0] * buckets for _ in range(5)]
        happened = [0] * buckets
        for s in range(seq, last + 1):
            bucket = (s - seq) * buckets // (last - seq + 1)
            entry = world.entries[s]
            if entry is None:
                continue
            # Lost entries count at the entry that reports the gap.
            expected[2][bucket] += entry.get("gap", {}).get("lost", 0)
            expected[0][bucket] += 1
            expected[1][bucket] += "error" in entry
            expected[3][bucket] += "state" in entry
            expected[4][bucket] += world.moments[s] is None
            happened[bucket] += "event" in entry
        self.assertEqual(columns[:5], expected, (seq, last, buckets))
        self.assertEqual([sum(lanes) for lanes in zip(*columns[5:])], happened)

    def check_diff(self, inspector, world, a, b):
        if world.moments[a] is None or world.moments[b] is None:
            return
        answer = inspector.ask(
            "diff", a={"timeline": world.id, "seq": a}, b={"timeline": world.id, "seq": b}
        )
        result = jsonpatch.apply_patch(world.moments[a], answer["patch"])
        self.assertTrue(same(result, world.moments[b]), (a, b, answer))


class Following(unittest.TestCase):
    def test_an_inspector_sees_entries_as_they_arrive(self):
        with Daemon() as daemon, Recorder(daemon.socket) as recorder:
            world = World(7)
            inspector = Inspector(daemon.socket)
            inspector.ask("watch")
            recorder.open(world.header)
            while True:
                message = inspector.receive()
                if message["type"] == "timeline":
                    break
            self.assertEqual(message["timeline"]["header"]["timeline"], world.id)
            inspector.ask("watch", timeline=world.id)
            recorder.append(world.id, world.grow(100))
            recorder.wait_until_durable(world.id, world.seq)
            seen, durable = -1, -1
            while durable < world.seq:
                message = inspector.receive()
                if message["type"] == "live":
                    seen = max(seen, message["last"])
                    durable = max(durable, message.get("durable", -1))
            self.assertEqual(seen, world.seq)

    def test_inspectors_and_recorders_are_notified_of_a_deleted_timeline(self):
        with Daemon() as daemon, Recorder(daemon.socket) as recorder:
            world = World(8)
            recorder.open(world.header)
            recorder.append(world.id, world.grow(10))
            recorder.wait_until_durable(world.id, world.seq)
            inspector, other = Inspector(daemon.socket), Inspector(daemon.socket)
            other.ask("watch")
            inspector.ask("delete", timeline=world.id)
            self.assertEqual(kinds(other, "gone")["timeline"], world.id)
            self.assertEqual(kinds(recorder, "gone")["timeline"], world.id)


def kinds(peer, type):
    while True:
        message = peer.receive()
        if message["type"] == type:
            return message


def known(world, seq, text):
    """Whether the model has an answer: state and outputs of thinned and lost entries are unknown."""
    if world.entries[seq] is None:
        return False
    if "anywhere" in text and any(json.dumps(leaf) in text for leaf in leaves(world, seq)):
        return True
    return world.moments[seq] is not None or not any(word in text for word in ("state", "outputs", "anywhere"))


def spread(ranges):
    return [seq for first, last in ranges for seq in range(first, last + 1)]
