"""debugd explain, with a host in another language, and compared with a look at the recorded lines."""

import json
import pathlib
import sys
import tempfile
import unittest
import uuid

from advice import AdviceTest, advice
from daemon import ROOT, Daemon

sys.dont_write_bytecode = True
HOST = ROOT / "Examples" / "host.py"
sys.path.insert(0, str(HOST.parent))
from test_foreign_host import written  # noqa: E402

PAID = {"insert": {"cents": 100}}
# A fresh machine has two.
WRONG = "state.tea < 2"


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)

    def file(self, name, events):
        """A recording of these events in a file."""
        lines = written(events).splitlines()
        header = json.loads(lines[0])
        header["timeline"] = str(uuid.uuid4())
        header["machine"]["name"] = name
        file = self.folder / f"{name}.timeline"
        file.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
        return file

    def recorded(self, name, events):
        self.daemon.run("import", self.file(name, events))

    def explain(self, *words, status=0):
        ran = self.daemon.run("explain", *words, check=False)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran

    def test_one_answer_has_all_parts_each_with_how_it_is_known(self):
        self.daemon.options += ["--host", str(HOST)]
        self.daemon.start()
        self.recorded("good", [PAID, "refund"])
        self.recorded("bad", [PAID, "refund", PAID, "tea", "refund"])
        text = self.explain("bad", "5", "--predicate", WRONG).stdout
        self.assertRegex(text, r"^Entry 5 refund  state\.tea < 2, since entry 4\n")
        self.assertRegex(text, r"\nValues\n  state\.tea +1 → 1 +4 tea +recorded\n")
        self.assertIn("\nCauses\n  4 tea set state.tea, which was read at 5 refund  recorded\n", text)
        self.assertRegex(text, r"\nFewest events: 2 events, each is needed, inferred\n")
        self.assertRegex(text, r"\nCompared with a healthy recording\n  [0-9a-f]{8} does not have "
                               r"3 insert  .*inferred\n")
        self.assertNotIn("Missing", text)

    def test_json_is_what_the_protocol_has(self):
        self.daemon.start()
        self.recorded("bad", [PAID, "tea"])
        found = json.loads(self.explain("bad", "2", "-p", WRONG, "--json", "--recorded").stdout)
        self.assertEqual(found["predicate"], WRONG)
        self.assertEqual(found["since"], 2)
        [value] = found["values"]
        self.assertEqual((value["path"], value["seq"], value["label"]), ("state.tea", 2, "recorded"))
        self.assertNotIn("fewest", found)

    def test_without_a_predicate_it_explains_what_the_entry_changed(self):
        self.daemon.start()
        self.recorded("bad", [PAID, "tea"])
        found = json.loads(self.explain("bad", "--json").stdout)
        line = self.daemon.json("entries", "bad", "--from", "2")
        changed = {f"{root}{change['path'].replace('/', '.')}" for key, root in
                   (("patch", "state"), ("outputs", "outputs")) for change in line.get(key, [])}
        self.assertEqual({value["path"] for value in found["values"]}, changed)

    def test_without_a_daemon_it_says_how_to_get_the_fewest_events(self):
        file = self.file("bad", [PAID, "tea"])
        text = self.explain(file, "2", "-p", WRONG).stdout
        self.assertIn("  state.tea ", text)
        self.assertIn("\nMissing\n  The fewest events: a file has no host. "
                      "To get them, import it into a running daemon.\n", text)
        self.daemon.start()
        self.daemon.run("import", file)
        self.daemon.stop()
        text = self.explain("bad", "2", "-p", WRONG).stdout
        self.assertIn("  The fewest events: Only a running daemon can minimize timelines. "
                      f"To fix, start it: debugd serve --data {self.daemon.data}\n", text)
        # A daemon without a host says which one it needs.
        self.daemon.start()
        text = self.explain("bad", "2", "-p", WRONG).stdout
        self.assertRegex(text, r"\n  The fewest events: .*debugd host ")

    def test_a_healthy_recording_can_be_named(self):
        self.daemon.start()
        self.recorded("good", [PAID, "refund"])
        self.recorded("bad", [PAID, "tea"])
        text = self.explain("bad", "2", "--healthy", "good", "--recorded").stdout
        self.assertIn("does not have 2 tea", text)
        self.recorded("worse", [PAID, "tea", PAID])
        with_failure = ("explain", "bad", "2", "-p", WRONG, "--recorded", "--healthy")
        remark = f"  {WRONG} holds in the recording that was named as healthy, too.\n"
        self.assertIn(remark, self.daemon.run(*with_failure, "worse").stdout)
        self.assertNotIn(remark, self.daemon.run(*with_failure, "good").stdout)
        ran = self.explain("bad", "2", "--healthy", "bad", "--recorded", status=1)
        self.assertIn("To compare with a healthy recording, name another one of", ran.stderr)

    def test_wrong_words_are_refused(self):
        self.daemon.start()
        self.recorded("bad", [PAID, "tea"])
        for words, sentence, status in [
            (["9"], "There is no entry 9: the timeline has entries 0 to 2.", 1),
            (["2", "-p", "state.tea <"], "That is not a predicate", 2),
            (["1", "-p", WRONG], "state.tea < 2 does not hold after entry 1.", 1),
        ]:
            with self.subTest(words):
                ran = self.explain("bad", *words, status=status)
                self.assertIn(sentence, ran.stderr)


class Advice(AdviceTest):
    def test_an_entry_after_which_the_predicate_holds_is_found(self):
        file = self.folder / "bad.timeline"
        file.write_text(written([PAID, "tea"]))
        self.works(f"debugd import {file}")
        said = self.fails(f"debugd explain vending 1 --predicate '{WRONG}'")
        found = self.works(advice(
            "To find an entry after which it does, run: debugd find … ……", said))
        self.assertRegex(found, r"^\s*2 ")


if __name__ == "__main__":
    unittest.main()
