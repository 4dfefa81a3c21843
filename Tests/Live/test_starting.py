"""What the daemon says when it starts, or cannot."""

import unittest

from daemon import Daemon
from test_hosts import until
from test_wrong_words import Commands


class Starting(Commands):
    def test_the_log_names_the_socket_of_this_daemon(self):
        with Daemon() as daemon:
            [message] = [
                line["message"] for line in daemon.lines()
                if line.get("address", "").startswith("unix:")]
        self.assertEqual(
            message,
            f"Recorders connect to {daemon.socket}. To record into this daemon, start your program "
            f"with DEBUGD=unix:{daemon.socket}")

    def test_the_advice_in_the_log_includes_another_socket(self):
        folder = self.folder / "own"
        folder.mkdir(mode=0o700)
        socket = folder / "s"
        with Daemon(options=["--socket", str(socket)]) as daemon:
            messages = [line.get("message", "") for line in daemon.lines()]
            [advice] = [message for message in messages if "To open it, run: " in message]
            command = advice.split("run: ")[1]
            self.assertIn(f"--socket {socket}", command)
            self.assertEqual(daemon.advised(command + " --print").returncode, 0)
            # A command that uses the default socket finds the data locked.
            message = self.refused("list", "--data", daemon.data)
            self.assertIn(
                f"but no daemon answers at {daemon.socket}. To fix, wait until that process ends; or, if "
                "it is a daemon with a socket of its own, pass that: --socket PATH", message)
            for more in (["--socket", str(socket)], []):
                ran = self.run_debugd(
                    "list", "--data", daemon.data, *more,
                    **({} if more else {"DEBUGD_SOCKET": str(socket)}))
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_daemon_without_a_page_reports_it(self):
        for options, expected in (
            (["--web", str(self.folder)], f"The folder {self.folder} has no index.html"),
        ):
            with Daemon(options=options) as daemon:
                # It is logged after the address.
                warnings = until("a warning", lambda: [
                    line for line in daemon.lines() if line.get("level") == "warning"])
                self.assertEqual([line["event"] for line in warnings], ["page.missing"])
                self.assertIn(expected, warnings[0]["message"])
                self.assertIn("To fix, pass the folder 'web' of Stateline's source: --web FOLDER", warnings[0]["message"])

    def test_a_port_or_socket_in_use_is_named(self):
        with Daemon() as daemon:
            message = self.refused(
                "serve", "--data", self.folder / "d", "--listen", f"127.0.0.1:{daemon.port}")
            self.assertEqual(
                message,
                f"debugd: 127.0.0.1:{daemon.port} is in use by another program. To fix, stop that "
                "program, or listen on a free port: --listen 127.0.0.1:0")
            message = self.refused(
                "serve", "--data", self.folder / "d", "--socket", daemon.socket, "--listen",
                "127.0.0.1:0")
            self.assertIn(
                f"{daemon.socket} is in use by another program. To fix, use the daemon that listens "
                "there, or give this one its own data: debugd serve --data FOLDER", message)
            message = self.refused("serve", "--data", daemon.data)
            self.assertIn(f"The data in {daemon.data} is held by process", message)


if __name__ == "__main__":
    unittest.main()
