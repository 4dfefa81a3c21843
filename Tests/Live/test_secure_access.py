"""Access to a daemon: the page that `debugd open` writes, and TLS with the user's certificates."""

import pathlib
import re
import ssl
import subprocess
import tempfile
import unittest

from daemon import Daemon
from peers import Inspector, Refused


class SecureAccess(unittest.TestCase):
    def test_only_the_owner_can_read_the_page_that_opens_the_inspector(self):
        with Daemon() as daemon:
            target = daemon.data / "elsewhere"
            target.write_text("mine")
            (daemon.data / "open.html").symlink_to(target)
            codes = set()
            for _ in range(2):
                page = pathlib.Path(daemon.run("open", "--print").stdout.strip())
                self.assertEqual(page.stat().st_mode & 0o777, 0o600)
                self.assertFalse(page.is_symlink())
                links = re.findall(r'(?:url=|href=")([^"]*)', page.read_text())
                self.assertEqual(len(links), 2)
                for link in links:
                    address, _, fragment = link.partition("#code=")
                    self.assertEqual(address, daemon.address)
                    codes.add(fragment)
            self.assertEqual(target.read_text(), "mine", "a link in its place is not followed")
            self.assertEqual(len(codes), 2, "a new code each time")
            for line in daemon.lines():
                self.assertFalse(any(code in str(line) for code in codes))
            address = f"ws://127.0.0.1:{daemon.port}/"
            with Inspector(address=address, code=sorted(codes)[0]) as inspector:
                self.assertNotIn("host", inspector.welcome["capabilities"])
                session = inspector.session
            with self.assertRaises(Refused):
                with Inspector(address=address, code=sorted(codes)[0]):
                    pass
            with Inspector(address=address, session=session) as again:
                self.assertEqual(again.ask("timelines")["timelines"], [])
            for line in daemon.lines():
                self.assertNotIn(session.split(".")[1], str(line))

    def test_the_right_to_start_hosts_must_be_requested(self):
        with Daemon() as daemon:
            for words, capabilities in [
                ([], ["look", "change", "control"]), (["--look"], ["look"]),
                (["--host"], ["look", "change", "control", "host"]),
            ]:
                page = pathlib.Path(daemon.run("open", "--print", *words).stdout.strip())
                code = re.search('#code=([^"]*)', page.read_text())[1]
                with Inspector(address=f"ws://127.0.0.1:{daemon.port}/", code=code) as inspector:
                    self.assertEqual(inspector.welcome["capabilities"], capabilities)
            self.assertEqual(daemon.run("open", "--look", "--host", check=False).returncode, 2)

    def certify(self, certificate, key):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
             certificate],
            check=True, capture_output=True,
        )

    def test_sighup_loads_a_renewed_certificate(self):
        with tempfile.TemporaryDirectory() as place:
            certificate, key = f"{place}/box.pem", f"{place}/box.key"
            self.certify(certificate, key)
            with Daemon(options=["--certificate", certificate, "--key", key]) as daemon:
                def shown():
                    return ssl.get_server_certificate(("127.0.0.1", daemon.port))

                first = shown()
                self.assertEqual(first, pathlib.Path(certificate).read_text())
                self.assertIn("Nothing", daemon.reload()["message"])
                self.certify(certificate, key)
                self.assertEqual(shown(), first, "not before it is logged")
                self.assertIn("certificate", daemon.reload()["message"])
                second = shown()
                self.assertEqual(second, pathlib.Path(certificate).read_text())
                self.certify(certificate, f"{place}/another.key")
                line = daemon.reload()
                self.assertEqual(line["event"], "reload.failed")
                self.assertIn("do not match", line["message"])
                self.assertEqual(shown(), second, "the last one that fits stays")

    def test_tls_with_the_users_certificate(self):
        with tempfile.TemporaryDirectory() as place:
            certificate, key = f"{place}/box.pem", f"{place}/box.key"
            self.certify(certificate, key)
            with Daemon(options=["--certificate", certificate, "--key", key]) as daemon:
                self.assertTrue(daemon.address.startswith("https://"))
                page = pathlib.Path(daemon.run("open", "--print").stdout.strip())
                self.assertEqual(page.stat().st_mode & 0o777, 0o600)
                code = page.read_text().split("#code=")[1].split('"')[0]
                trust = ssl.create_default_context(cafile=certificate)
                with Inspector(
                    address=f"wss://127.0.0.1:{daemon.port}/", code=code, ssl=trust
                ) as inspector:
                    self.assertIn("session", inspector.welcome)
                    self.assertEqual(inspector.ask("timelines")["timelines"], [])

if __name__ == "__main__":
    unittest.main()
