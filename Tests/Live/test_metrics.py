"""Metrics, as a monitor reads them."""

import contextlib
import http.client
import os
import socket
import unittest

from prometheus_client.parser import text_string_to_metric_families

from daemon import Daemon
from model import World
from monitor import address, get, samples
from peers import Inspector, Recorder, Refused


def record(recorder, count, seed=9):
    """Records some entries; returns the header of their timeline."""
    world = World(seed=seed, name="secret-machine", app="secret-app")
    recorder.open(world.header)
    recorder.append(world.id, world.grow(count))
    recorder.wait_until_durable(world.id, world.seq)
    return world.header


class Metrics(unittest.TestCase):
    def test_they_count_what_happens(self):
        with Daemon(options=["--metrics", "0"]) as daemon:
            before = samples(daemon)
            self.assertEqual(before[("debugd_connections", ("role", "recorder"))], 0)
            self.assertEqual(before[("debugd_entries_stored_total",)], 0)
            self.assertEqual(before[("debugd_store_writable",)], 1)
            with Recorder(daemon.socket) as recorder, Inspector(daemon.socket) as inspector:
                record(recorder, 7)
                inspector.ask("timelines")
                after = samples(daemon)
                self.assertEqual(after[("debugd_connections", ("role", "recorder"))], 1)
                self.assertEqual(after[("debugd_connections", ("role", "inspector"))], 1)
                self.assertEqual(after[("debugd_live_timelines",)], 1)
                self.assertEqual(after[("debugd_entries_stored_total",)], 7)
                self.assertGreater(after[("debugd_entry_bytes_stored_total",)], 7 * 20)
                self.assertGreater(after[("debugd_queries_total",)], before[("debugd_queries_total",)])
            self.assertGreater(after[("debugd_database_bytes",)], 4_096)
            self.assertLess(after[("debugd_disk_free_bytes",)], 1 << 60)
            self.assertGreater(after[("process_open_fds",)], 3)
            proc = f"/proc/{daemon.process.pid}/fd"
            self.assertLess(abs(after[("process_open_fds",)] - len(os.listdir(proc))), 20)
            self.assertGreater(after[("process_resident_memory_bytes",)], 1 << 20)
            version = daemon.run("--version").stdout.split()[1]
            self.assertEqual(after[("debugd_build_info", ("version", version))], 1)

    def test_they_count_refused_strangers_and_hosts(self):
        with Daemon(options=["--metrics", "0"]) as daemon:
            unproved = ("debugd_connections_refused_total", ("reason", "unproved"))
            self.assertEqual(samples(daemon)[unproved], 0)
            for number in 1, 2:
                with self.assertRaises(Refused):
                    Inspector(address=f"ws://127.0.0.1:{daemon.port}/", code="c1.secret")
                self.assertEqual(samples(daemon)[unproved], number)
            self.assertEqual(samples(daemon)[("debugd_hosts", ("state", "idle"))], 0)
            self.assertEqual(samples(daemon)[("debugd_store_waiting", ("for", "write"))], 0)
            self.assertEqual(samples(daemon)[("debugd_saved_copies",)], 1)

    def test_totals_never_decrease(self):
        with Daemon(options=["--metrics", "0"]) as daemon:
            _, text = get(daemon)
            totals = {
                sample.name for family in text_string_to_metric_families(text)
                if family.type == "counter" for sample in family.samples
            }
            self.assertGreater(len(totals), 5)
            before = samples(daemon)
            for seed in range(3):
                with Recorder(daemon.socket) as recorder:
                    record(recorder, 5, seed)
                after = samples(daemon)
                for key, value in before.items():
                    if key[0] in totals:
                        self.assertGreaterEqual(after[key], value, key)
                before = after

    def test_hostile_clients_cost_nothing_else(self):
        with contextlib.ExitStack() as open, Daemon(options=["--metrics", "0"]) as daemon:
            place = address(daemon)
            recorder = open.enter_context(Recorder(daemon.socket))
            requests = b"", b"GET /metr", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
            # Silent, slow, and ones that keep their connection; more than there are places for.
            for number in range(200):
                client = open.enter_context(socket.create_connection(place, timeout=60))
                with contextlib.suppress(OSError):
                    client.sendall(requests[number % len(requests)])
            # A head of a megabyte.
            client = open.enter_context(socket.create_connection(place, timeout=60))
            with contextlib.suppress(OSError):
                client.sendall(b"GET /metrics HTTP/1.1\r\nX: " + b"x" * (1 << 20) + b"\r\n\r\n")
            with contextlib.suppress(OSError):
                answered = client.recv(1 << 16)
                self.assertNotIn(b" 200 ", answered[:20])
            record(recorder, 9)
            self.assertEqual(daemon.status("127.0.0.1"), 200)
            after = samples(daemon)
            self.assertEqual(after[("debugd_entries_stored_total",)], 9)
            self.assertLess(after[("process_resident_memory_bytes",)], 256 << 20)

    def test_they_name_nothing(self):
        with Daemon(options=["--metrics", "127.0.0.1:0"]) as daemon, Recorder(daemon.socket) as recorder:
            header = record(recorder, 1)
            _, text = get(daemon)
            names = header["app"]["name"], header["machine"]["type"], header["timeline"]
            for name in (*names, str(daemon.data)):
                self.assertNotIn(name, text)

    def test_there_is_nothing_else_at_the_address(self):
        with Daemon(options=["--metrics", "127.0.0.1:0"]) as daemon:
            for path in "/", "/index.html", "/metrics/more":
                answer, text = get(daemon, path)
                self.assertEqual((answer.status, text), (404, "The metrics are at /metrics.\n"))
            answer, text = get(daemon, method="POST")
            self.assertEqual((answer.status, answer.getheader("Allow")), (405, "GET, HEAD"))
            answer, _ = get(daemon, method="HEAD")
            self.assertEqual(answer.status, 200)
            # A page of another site, after DNS rebinding.
            answer, _ = get(daemon, Host="evil.example")
            self.assertEqual(answer.status, 421)
            upgrade = {
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            }
            for protocol in {}, {"Sec-WebSocket-Protocol": "inspector.v1"}:
                answer, text = get(daemon, "/", **upgrade, **protocol)
                self.assertIn(answer.status, (400, 404), text)
            # The page's port has no metrics.
            connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
            connection.request("GET", "/metrics")
            self.assertEqual(connection.getresponse().status, 404)
            connection.close()

    def test_they_are_off_unless_asked_for(self):
        with Daemon() as daemon:
            self.assertEqual([line for line in daemon.lines() if line.get("event") == "metrics"], [])

    def test_other_machines_need_tls(self):
        with Daemon(options=["--metrics", "127.0.0.1:0"]) as daemon:
            host, port = address(daemon)
            for options, words in (
                (["--metrics", "0.0.0.0:0"], "--insecure"),
                (["--metrics", "box"], "--metrics takes ADDRESS:PORT, such as 127.0.0.1:9464"),
                (["--metrics", f"{host}:{port}"],
                 "To fix, stop that program, or serve the metrics on a free port: --metrics 127.0.0.1:0"),
            ):
                other = Daemon(options=options)
                with self.subTest(options=options):
                    other.start(wait=False)
                    self.assertNotEqual(other.process.wait(60), 0)
                    self.assertIn(words, other.text())

    def test_the_daemons_own_address_is_not_another_programs(self):
        with Daemon() as daemon:
            port = daemon.port
        for options in ["--metrics", f"127.0.0.1:{port}"], ["--metrics", f"0.0.0.0:{port}", "--insecure"]:
            other = Daemon(options=options, listen=f"127.0.0.1:{port}")
            with self.subTest(options=options):
                other.start(wait=False)
                self.assertNotEqual(other.process.wait(60), 0)
                self.assertRegex(
                    other.text(),
                    rf"The daemon itself listens on [0-9.]+:{port}. To fix, serve the metrics on another "
                    r"port: --metrics [0-9.]+:0")


if __name__ == "__main__":
    unittest.main()
