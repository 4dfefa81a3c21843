"""The daemon as a process: how it starts, handles signals, and reports its state."""

import json
import pathlib
import signal
import socket
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon
from peers import recorded


class DaemonProcess(unittest.TestCase):
    def test_a_second_daemon_reports_the_process_that_holds_the_data(self):
        with Daemon() as daemon:
            second = Daemon(data=daemon.data)
            second.log = daemon.data.parent / (daemon.data.name + ".second.log")
            second.start(wait=False)
            self.assertEqual(second.process.wait(120), 1)
            self.assertIn(str(daemon.process.pid), second.text())
            second.log.unlink()

    def test_a_port_in_use_is_reported(self):
        with Daemon() as daemon:
            result = subprocess.run(
                [BUILD / "debugd", "serve", "--listen", f"127.0.0.1:{daemon.port}", "--data",
                 tempfile.mkdtemp(prefix="dbg")],
                capture_output=True, text=True, env=daemon.environment, timeout=60,
            )
            self.assertEqual(result.returncode, 1)
            self.assertIn(str(daemon.port), result.stderr.splitlines()[-1])
            # It reported to no one that it listens, not even on the socket.
            self.assertNotIn("listening", result.stderr)

    def test_other_machines_need_tls_or_an_option(self):
        result = subprocess.run(
            [BUILD / "debugd", "serve", "--listen", "0.0.0.0:0", "--data",
             tempfile.mkdtemp(prefix="dbg")],
            capture_output=True, text=True, timeout=60,
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn("--insecure", result.stderr)

    def test_the_option_lets_other_machines_connect_without_tls(self):
        with Daemon(options=["--insecure"], listen="0.0.0.0:0") as daemon:
            warned = [line for line in daemon.lines() if line.get("event") == "insecure"]
            self.assertEqual([line["level"] for line in warned], ["warning"])
            self.assertIn("without TLS", warned[0]["message"])

    def test_signals(self):
        with Daemon() as daemon:
            daemon.process.send_signal(signal.SIGHUP)
            while not any(line.get("event") == "reloaded" for line in daemon.lines()):
                self.assertIsNone(daemon.process.poll())
            self.assertEqual(daemon.stop(), 0)
            self.assertEqual(daemon.lines()[-1]["event"], "stopped")

    def test_an_interrupt_shuts_it_down(self):
        with Daemon() as daemon:
            daemon.process.send_signal(signal.SIGINT)
            self.assertEqual(daemon.process.wait(120), 0)
            self.assertEqual(daemon.lines()[-1]["event"], "stopped")

    def test_sighup_applies_what_can_change_and_logs_what_needs_a_restart(self):
        with tempfile.TemporaryDirectory() as place:
            config = pathlib.Path(place) / "config"
            config.write_text("log-level = info\n")
            with Daemon(options=["--config", config]) as daemon:
                recorded(daemon)

                def reload(text):
                    config.write_text(text)
                    return daemon.reload()

                self.assertIn("Nothing", reload("log-level = info\n")["message"])
                line = reload("log-level = debug\nretain-count = 5\nname = box.example\n")
                taken, _, waiting = line["message"].partition("Waiting for a restart")
                for word in ["retention", "names", "the log"]:
                    self.assertIn(word, taken)
                self.assertEqual(waiting, "")
                self.assertEqual(daemon.status("box.example"), 200)
                self.assertEqual(daemon.status("other.example"), 421)
                (daemon.data / "recorder.secret").write_text("0123456789abcdef0123\n")
                line = reload("log-level = info\nsocket = /tmp/elsewhere.sock\nhost = /bin/true\n")
                taken, _, waiting = line["message"].partition("Waiting for a restart")
                self.assertIn("the recorders' secret", taken)
                self.assertIn("the socket", waiting)
                self.assertIn("hosts", waiting)
                self.assertEqual(daemon.status("box.example"), 421)
                self.assertEqual(reload("nonsense = 1\n")["event"], "reload.failed")
                config.chmod(0o666)
                line = reload("log-level = debug\n")
                self.assertEqual(line["event"], "reload.failed")
                self.assertIn("Other users can write to the configuration file", line["message"])

    def test_an_empty_list_explains_itself(self):
        with Daemon() as daemon:
            self.assertIn("no timelines yet", daemon.run("list").stderr)
            world = recorded(daemon)
            app = world.header["app"]["name"]
            said = daemon.run("list", "--app", "Nope").stderr
            self.assertIn("'Nope'", said)
            self.assertIn(app, said)
            self.assertNotIn("yet", said)
            self.assertIn("being written", daemon.run("list", "--live").stderr)

    def test_depth_counts_the_levels_below_the_value(self):
        with Daemon() as daemon:
            world = recorded(daemon)
            known = [seq for seq, moment in enumerate(world.moments) if moment][-1]
            moment = world.moments[known]
            shown = json.loads(daemon.run("state", "coin", known, "--depth", 1, "--json").stdout)
            self.assertEqual(set(shown), set(moment))
            for key, value in moment.items():
                if isinstance(value, (dict, list)) and value:
                    self.assertEqual(list(shown[key]), ["$cut"])

    def test_the_service_manager_is_notified(self):
        with tempfile.TemporaryDirectory() as place:
            path = f"{place}/notify"
            manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            manager.bind(path)
            manager.settimeout(120)
            with Daemon(environment={"NOTIFY_SOCKET": path}) as daemon:
                self.assertEqual(manager.recv(100), b"READY=1")
                daemon.stop()
                self.assertEqual(manager.recv(100), b"STOPPING=1")
            manager.close()


if __name__ == "__main__":
    unittest.main()
