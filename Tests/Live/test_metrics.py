"""Metrics, as a monitor reads them: the public library of Prometheus parses what the daemon serves."""

import http.client
import os
import unittest

from prometheus_client.parser import text_string_to_metric_families

from daemon import Daemon
from model import World
from peers import Inspector, Recorder


def address(daemon):
    """The host and the port of the metrics."""
    [line] = [line for line in daemon.lines() if line.get("event") == "metrics"]
    host, port = line["address"].removeprefix("http://").removesuffix("/metrics").rsplit(":", 1)
    return host, int(port)


def get(daemon, path="/metrics", method="GET", **headers):
    host, port = address(daemon)
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def samples(daemon):
    """All values, each by its name and labels."""
    answer, text = get(daemon)
    assert answer.status == 200, text
    result = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        for sample in family.samples:
            key = (sample.name, *sorted(sample.labels.items()))
            assert key not in result, f"{key} comes twice"
            result[key] = sample.value
    return result


def record(recorder, count):
    """Records some entries; returns the header of their timeline."""
    world = World(seed=9, name="secret-machine", app="secret-app")
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


if __name__ == "__main__":
    unittest.main()
