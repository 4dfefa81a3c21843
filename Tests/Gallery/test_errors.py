"""What docs/errors.md quotes is what a newcomer is told: the errors that can be made, made."""

import http.client
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from daemon import BUILD, ROOT, Daemon

EXAMPLES = pathlib.Path(os.environ["EXAMPLES_BUILD"])


def quoted():
    """The sentences of the page as expressions: … stands for anything on one line."""
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| ")]
    found = [text for row in rows for text in re.findall(r"`([^`]+)`", row)]
    return {text: re.compile(".+?".join(map(re.escape, text.strip("… ").split("…")))) for text in found}


QUOTED = quoted()


class Errors(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="err", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.daemon = Daemon(options=["--web", str(ROOT / "web")]).start()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        ran = self.app("Elsewhere")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def environment(self, **more):
        mine = {key: value for key, value in self.daemon.environment.items()}
        return {**mine, "DEBUGD_DATA": str(self.daemon.data), "HOME": str(self.folder), **more}

    def app(self, name, **environment):
        environment = {"DEBUGD": f"unix:{self.daemon.socket}", **environment}
        return subprocess.run(
            [EXAMPLES / name], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment(**environment))

    def told(self, *words, **environment):
        """What debugd says when it is called with these words and does not do it."""
        ran = subprocess.run(
            [BUILD / "debugd", *map(str, words)], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment(**environment), cwd=self.folder)
        self.assertNotEqual(ran.returncode, 0, f"{words} went well: {ran.stdout}")
        return ran.stderr

    def assertOnPage(self, sentence, said):
        """That the page quotes the sentence, and that it was said."""
        self.assertIn(sentence, QUOTED)
        self.assertRegex(said, QUOTED[sentence])

    def test_starting(self):
        address = f"127.0.0.1:{self.daemon.port}"
        other = ["serve", "--data", self.folder / "other"]
        self.assertOnPage("… is in use by another program.",
                          self.told(*other, "--listen", address))
        self.assertOnPage(
            "The data in … is held by process … since …. To fix, use that daemon, or stop it first.",
            self.told("serve", "--data", self.daemon.data, "--listen", "127.0.0.1:0"))
        self.assertOnPage(
            "Other machines would reach … without TLS. To fix, give a certificate and a key, or "
            "say --insecure.", self.told(*other, "--listen", "0.0.0.0:0"))
        self.assertOnPage("the folder … cannot be read: …", self.told(
            *other, "--listen", "127.0.0.1:0", "--web", self.folder / "gone"))
        self.assertOnPage("debugd has no command ….", self.told("lst"))

    def test_naming(self):
        self.assertOnPage("No timeline is called ….", self.told("show", "nobody"))
        self.assertOnPage("That is no predicate: …", self.told("find", "basket", "x =="))
        self.assertOnPage(
            "Nothing is stored in …, and no daemon runs. To fix, start one with 'debugd serve', or "
            "say where the data is: --data FOLDER.",
            self.told("list", DEBUGD_DATA=str(self.folder / "none")))

    def test_the_page(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=20)
        connection.request("GET", "/", headers={"Host": "elsewhere.example"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 421)
        self.assertOnPage("This is not the host that was asked for.", answer.read().decode())
        connection.close()

    def test_recording(self):
        told = self.app("Coin", DEBUGD="daemon").stderr
        self.assertOnPage(
            "DEBUGD=… is neither off, unix:/path, ws://host:port, wss://host:port nor file:/path. "
            "Recording as configured.", told)
        port = f"ws://127.0.0.1:{self.daemon.port}"
        self.assertOnPage(
            "A daemon that is reached by its port needs a secret of 16 bytes or more. To fix, name "
            "its file in DEBUGD_SECRET_FILE.", self.app("Coin", DEBUGD=port).stderr)
        secret = self.folder / "secret"
        secret.write_text("0123456789abcdef")
        secret.chmod(0o644)
        self.assertOnPage(
            "Others may read it. To fix, make it yours alone: chmod 600 …",
            self.app("Coin", DEBUGD=port, DEBUGD_SECRET_FILE=str(secret)).stderr)

    def test_changing(self):
        self.assertOnPage("No host can make … of ….", self.told("fork", "basket", "--drop", "1"))
        self.assertOnPage(
            "The timeline does not say how its machine is made. To fix, record a Reducible state, or "
            "give the recorder a Replayable type that makes the machine.",
            self.told("fork", "total", "--drop", "1"))
        self.assertOnPage("A branch needs an edit, such as --drop SEQ or --cut SEQ.",
                          self.told("fork", "basket"))
        self.assertOnPage("No connected app writes the timeline ….", self.told("hold", "basket"))
        self.assertOnPage("There are no hosts.", self.told("hosts"))
        self.daemon.stop()
        self.assertOnPage("Only a running daemon can …. To fix, start it: debugd serve",
                          self.told("fork", "basket", "--drop", "1"))

    def test_proving(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertOnPage("The folder … has no .timeline file.",
                          self.told("verify", empty, "--host", EXAMPLES / "Elsewhere"))
        self.assertOnPage(
            "To run files say which executable makes their machines: --host .build/debug/App.",
            self.told("verify", ROOT / "docs" / "errors.md"))
        self.assertOnPage("minimise needs --until PREDICATE: what the failure is.",
                          self.told("minimise", "basket"))
        self.assertOnPage(
            "The recording of … does not say how the machine is made.",
            self.told("export", "total", "--as", "xctest", "-o", "x.swift"))
        self.assertOnPage("The file is no timeline: …",
                          self.told("import", ROOT / "docs" / "errors.md"))
        exported = subprocess.run(
            [BUILD / "debugd", "export", "basket", "-o", "b.timeline"], cwd=self.folder,
            env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertOnPage("The executable is no host: it …",
                          self.told("verify", "b.timeline", "--host", "/bin/true"))
        self.assertOnPage("The host could not be started: …",
                          self.told("verify", "b.timeline", "--host", "gone"))


if __name__ == "__main__":
    unittest.main()
