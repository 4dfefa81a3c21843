"""What grows: the same answer from commands, files, the protocol, and agents."""

import json
import unittest

import jsonpatch

from agents import Agent
from daemon import Daemon
from peers import Inspector, Refused

ID = "0000006a-0b7e-4d38-9c41-2e5a7b90d1f3"
LAST = 400


def state(seq):
    """A state whose log grows, and whose cache grows and is emptied again."""
    return {"shop": {"log": [f"event {n}" for n in range(seq)], "name": "a" * (seq // 50)},
            "cache": {f"k{n}": n for n in range(seq % LAST)}, "total": 1}


def size(value):
    return len(json.dumps(value, separators=(",", ":")).encode())


def recording():
    header = {
        "timeline": ID, "app": {"name": "shop"}, "machine": {"type": "Shop", "name": "shop"},
        "started": "2026-03-01T09:30:00Z", "format": 1}
    lines = [header, {"seq": 0, "t": 0, "state": state(0)}]
    for seq in range(1, LAST + 1):
        patch = jsonpatch.make_patch(state(seq - 1), state(seq)).patch
        lines.append({"seq": seq, "t": seq, "event": {"set": {}}, "patch": patch})
    return "".join(json.dumps(line) + "\n" for line in lines)


class Growth(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.file = self.daemon.data / "shop.timeline"
        self.file.write_text(recording())
        self.daemon.run("import", self.file)

    def test_commands_files_and_agents_get_the_same_answer(self):
        with Inspector(self.daemon.socket) as inspector:
            found = inspector.ask("growth", timeline=ID, samples=5)
        self.assertEqual(found["seqs"], [0, 100, 200, 300, 400])
        self.assertEqual(found["bytes"], [size(state(seq)) for seq in found["seqs"]])
        self.assertEqual(found["paths"], [
            {"path": "/state/shop/log", "elements": [0, 100, 200, 300, 400],
             "bytes": [size(state(seq)["shop"]["log"]) for seq in found["seqs"]]},
            {"path": "/state/shop/name", "bytes": [2, 4, 6, 8, 10]}])
        lines = self.daemon.run("growth", "shop", "--samples", 5, "--json").stdout.splitlines()
        self.assertEqual(
            [json.loads(line) for line in lines],
            [{**path, "seqs": found["seqs"]} for path in found["paths"]])
        shown = self.daemon.run("growth", "shop", "--samples", 5).stdout
        self.assertIn("/state/shop/log  0 → 400 elements", shown)
        self.assertNotIn("/state/cache", shown)
        # The log of a file is measured without a daemon.
        self.daemon.stop()
        self.assertEqual(self.daemon.run("growth", self.file, "--samples", 5).stdout, shown)
        self.daemon.start()
        with Agent(self.daemon) as agent:
            (grows,) = agent.call("scene", timeline="shop")["grows"]
        self.assertEqual(grows, {
            "path": "/state/shop/log",
            "bytes": [2, size(state(LAST)["shop"]["log"])]})

    def test_a_stretch_and_a_limit(self):
        with Inspector(self.daemon.socket) as inspector:
            some = inspector.ask("growth", timeline=ID, **{"from": 398}, to=399, limit=1)
            self.assertEqual((some["seqs"], len(some["paths"]), some["more"]), ([398, 399], 1, True))
            for wrong in ({"samples": 1}, {"samples": 65}, {"limit": 0}, {"limit": 201},
                          {"from": 401}, {"from": 5, "to": 4}):
                with self.subTest(wrong), self.assertRaises(Refused) as refused:
                    inspector.ask("growth", timeline=ID, **wrong)
                self.assertEqual(refused.exception.code, "wrong-value")
            with self.assertRaises(Refused) as refused:
                inspector.ask("growth", timeline=ID.replace("6a", "6b"))
            self.assertEqual(refused.exception.code, "not-found")
        said = self.daemon.run("growth", "shop", "--from", 390, "--to", 399, "--limit", 1).stderr
        self.assertIn("More parts grew. To see them, use --limit N.", said)


if __name__ == "__main__":
    unittest.main()
