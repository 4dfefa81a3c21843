"""Named filters: kept by the daemon, used in commands, and there again after a restart."""

import json
import unittest

from advice import AdviceTest, advice
from daemon import Daemon
from peers import Inspector, Refused, recorded


class Filters(unittest.TestCase):
    def test_a_filter_is_kept_used_and_deleted(self):
        with Daemon() as daemon:
            recorded(daemon)
            said = daemon.run("filters", "coin", "flips", 'event == "flip"').stdout
            self.assertEqual(said, 'flips  event == "flip"\n')
            daemon.run("filters", "coin", "errors", "error!=null")
            found = daemon.run("find", "coin", "@flips", "--limit", 5, "--json").stdout
            self.assertEqual(found, daemon.run(
                "find", "coin", 'event == "flip"', "--limit", 5, "--json").stdout)
            self.assertEqual(
                daemon.run("entries", "coin", "--filter", "@flips").stdout,
                daemon.run("entries", "coin", "--filter", 'event == "flip"').stdout)
            daemon.kill()
            daemon.start()
            lines = daemon.run("filters", "coin", "--json").stdout.splitlines()
            self.assertEqual([json.loads(line) for line in lines], [
                {"name": "errors", "predicate": "error != null"},
                {"name": "flips", "predicate": 'event == "flip"'}])
            self.assertEqual(
                daemon.run("filters", "coin", "flips", "--delete").stdout,
                "deleted  flips\nerrors  error != null\n")
            self.assertEqual(daemon.run("filters", "coin").stdout, "errors  error != null\n")
            # Without a daemon, the same.
            daemon.stop()
            self.assertEqual(daemon.run("filters", "coin").stdout, "errors  error != null\n")

    def test_a_missing_filter_is_answered_with_those_that_there_are(self):
        with Daemon() as daemon:
            recorded(daemon)
            daemon.run("filters", "coin", "errors", "error != null")
            missing = daemon.run("filters", "coin", "eror", "--delete", check=False)
            self.assertEqual(missing.returncode, 1)
            self.assertIn("There is no filter 'eror': this machine has 'errors'.", missing.stderr)
            shown = daemon.run("filters", "coin", "erors", check=False)
            self.assertEqual((shown.returncode, shown.stdout), (1, ""))
            self.assertIn(
                "There is no filter 'erors'. Did you mean '@errors'? To see all, run: debugd filters",
                shown.stderr)

    def test_a_filter_is_named_with_or_without_its_sign(self):
        with Daemon() as daemon:
            recorded(daemon)
            daemon.run("filters", "coin", "@errors", "error != null")
            line = "errors  error != null\n"
            self.assertEqual(daemon.run("filters", "coin").stdout, line)
            self.assertEqual(daemon.run("filters", "coin", "@errors").stdout, line)
            self.assertEqual(daemon.run("filters", "coin", "@errors", "--delete").stdout, "deleted  errors\n")

    def test_filters_of_a_newer_daemon_survive_a_change(self):
        with Daemon() as daemon:
            recorded(daemon)
            daemon.run("filters", "coin", "flips", 'event == "flip"')
            daemon.stop()
            file = daemon.data / "filters.json"
            kept = json.loads(file.read_text())
            newer = kept["filters"][0] | {"name": "new", "predicate": "state.n ~~> 1", "color": "red"}
            file.write_text(json.dumps({"filters": [newer, *kept["filters"]]}))
            daemon.start()
            daemon.run("filters", "coin", "errors", "error != null")
            left = json.loads(file.read_text())["filters"]
            self.assertIn(newer, left)
            self.assertEqual({one["name"] for one in left}, {"new", "flips", "errors"})

    def test_a_filter_is_a_whole_condition(self):
        with Daemon() as daemon:
            recorded(daemon)
            daemon.run("filters", "coin", "flips", 'event == "flip" || seq == 0')
            for words in (("find", "coin", "@flips && seq > 3"),
                          ("entries", "coin", "--filter", "@flips && seq > 3")):
                said = daemon.run(*words, check=False)
                self.assertEqual(said.returncode, 2)
                self.assertIn(
                    "A named filter is a whole condition. To combine '@flips' with another one, write "
                    "what it means: (event == \"flip\" || seq == 0) && seq > 3\n", said.stderr)

    def test_a_deletion_names_one_filter(self):
        with Daemon() as daemon:
            recorded(daemon)
            unclear = daemon.run("filters", "coin", "--delete", check=False)
            self.assertEqual(unclear.returncode, 2)
            self.assertIn("--delete needs the NAME of a filter, and nothing else.", unclear.stderr)

    def test_hostile_names_do_not_reach_the_terminal(self):
        with Daemon() as daemon:
            recorded(daemon)
            name = "\u001b]0;x\u0007\u202e"
            said = daemon.run("filters", "coin", name, "true").stdout
            self.assertNotIn("\u001b", said)
            self.assertNotIn("\u202e", said)
            listed = json.loads(daemon.run("filters", "coin", "--json").stdout)
            self.assertEqual(listed["name"], name)

    def test_a_long_name_is_refused(self):
        with Daemon() as daemon:
            inspector = Inspector(daemon.socket)
            with self.assertRaises(Refused) as refused:
                inspector.ask("filters", machine="M", name="b" * 1001, predicate="true")
            self.assertEqual(refused.exception.code, "limit")


class Missing(AdviceTest):
    def test_a_machine_without_filters_says_how_to_keep_one(self):
        recorded(self.daemon)
        self.assertEqual(self.daemon.run("filters", "coin", "--json").stdout, "")
        for words, code in ((("filters", "coin"), 0), (("filters", "coin", "errors"), 1)):
            empty = self.daemon.run(*words, check=code == 0)
            self.assertEqual((empty.returncode, empty.stdout), (code, ""))
        kept = self.works(advice(
            "This machine has no filters. To keep one, run: debugd filters … … 'error != null'",
            empty.stderr))
        self.assertEqual(kept, "errors  error != null\n")
        self.assertEqual(self.daemon.run("filters", "coin").stderr, "")

    def test_a_name_that_no_filter_has_is_explained(self):
        recorded(self.daemon)
        self.daemon.run("filters", "coin", "errors", "error != null")
        missing = self.daemon.run("find", "coin", "@nothing", check=False)
        self.assertEqual(missing.returncode, 2)
        self.assertIn("There is no filter 'nothing'.", missing.stderr)
        said = missing.stderr.split("\n")[0]
        listed = self.works(advice(
            "There is no filter …. To see all, run: debugd filters …", said))
        self.assertEqual(listed, "errors  error != null\n")

    def test_a_file_has_no_filters(self):
        recorded(self.daemon)
        file = self.daemon.data / "coin.timeline"
        file.write_text(self.daemon.run("export", "coin").stdout)
        self.daemon.run("filters", "coin", "errors", "error != null")
        for command in ("find", "entries"):
            words = ["@errors"] if command == "find" else ["--filter", "@errors"]
            missing = self.daemon.run(command, file, *words, check=False)
            self.assertEqual((missing.returncode, missing.stdout), (2, ""))
            self.assertIn(
                "A daemon keeps named filters, and a file has none. To fix, write the condition in "
                "place of '@errors', for example: 'error != null'", missing.stderr)
            self.assertNotEqual(self.daemon.run(command, file, *words[:-1], "error == null").stdout, "")


if __name__ == "__main__":
    unittest.main()
