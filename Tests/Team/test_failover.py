"""Two daemons on one database: a standby, its health, and what recorders notice when it takes over."""

import json
import http.client
import signal
import socket
import unittest
import urllib.parse

import takeover
from cluster import Database
from daemon import Daemon
from takeover import Pair, Program, line_of


def answer(daemon, path, method="GET", host=None):
    """The status and the text of a response, from where the daemon answers at the moment."""
    lines = [line for line in daemon.lines() if line.get("event") in ("standby.listening", "listening")]
    address = [line["address"] for line in lines if line["address"].startswith("http")][-1]
    place = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=120)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def answer_on_socket(daemon, path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(120)
    connection.connect(str(daemon.socket))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    text = b""
    while piece := connection.recv(4096):
        text += piece
    connection.close()
    return text.decode().splitlines()


class Failover(unittest.TestCase):
    def test_a_recorder_continues_on_the_standby_after_the_daemon_was_killed(self):
        with Database() as database, Pair(database) as pair, Program(pair.addresses) as program:
            first, second = pair.daemons
            program.wait_until_acknowledged(500)
            first.kill()
            acknowledged = program.acknowledged
            database.expire_lease()
            second.wait()
            program.wait_until_acknowledged(acknowledged + 500)
            sent = program.rest()
            stored = takeover.entries(second)
            self.assertIsNone(takeover.problem(stored, sent))
            self.assertGreaterEqual(len(stored), acknowledged)
            log = program.end()
            self.assertIn(f"The recording continues with the daemon at unix:{second.socket}.", log)
            self.assertEqual(len(second.run("list", "--json").stdout.splitlines()), 1)

    def test_both_daemons_are_replaced_while_a_program_records(self):
        with Database() as database, Pair(database) as pair, Program(pair.addresses) as program:
            first, second = pair.daemons
            for serving, next in ((first, second), (second, first)):
                program.wait_until_acknowledged(program.acknowledged + 300)
                # The lease ends with the daemon, so that nothing has to expire.
                self.assertEqual(serving.stop(), 0)
                next.wait()
                program.wait_until_acknowledged(program.acknowledged + 300)
                # As its next version.
                pair.wait_as_standby(serving)
            sent = program.rest()
            self.assertIsNone(takeover.problem(takeover.entries(first), sent))


class Standby(unittest.TestCase):
    def test_load_balancers_learn_who_serves(self):
        with Database() as database, Pair(database) as pair:
            first, second = pair.daemons
            self.assertEqual(answer(first, "/health"), (200, "serving\n"))
            self.assertEqual(answer(second, "/health"), (503, "standby\n"))
            # Load balancers use addresses, which the daemon need not know.
            self.assertEqual(answer(first, "/health", host="10.0.0.7"), (200, "serving\n"))
            self.assertEqual(answer(second, "/health", host="10.0.0.7"), (503, "standby\n"))
            self.assertEqual(answer(first, "/health", method="HEAD"), (200, ""))
            self.assertEqual(answer(first, "/", host="10.0.0.7")[0], 421)
            refusal = (503, "This daemon is a standby: another one serves the database.\n")
            self.assertEqual(answer(second, "/"), refusal)
            self.assertEqual(answer_on_socket(second, "/health")[-1], "standby")
            self.assertEqual(answer_on_socket(first, "/health")[-1], "serving")
            first.stop()
            second.wait()
            self.assertEqual(answer(second, "/health"), (200, "serving\n"))

    def test_a_daemon_without_a_database_is_healthy(self):
        with Daemon() as daemon:
            self.assertEqual(answer(daemon, "/health"), (200, "serving\n"))

    def test_commands_say_that_it_waits_and_for_whom(self):
        with Database() as database, Pair(database) as pair:
            second = pair.daemons[1]
            host = line_of(second, "standby")["host"]
            self.assertEqual(host, socket.gethostname())
            self.assertRegex(
                second.run("status").stdout, rf"daemon +standby\nwaits for +{host}\n")
            status = json.loads(second.run("status", "--json").stdout)
            self.assertEqual(status, {"standby": {"waitsFor": host}})
            failed = second.run("list", check=False)
            self.assertEqual(failed.returncode, 1)
            self.assertIn(
                f"The daemon of {second.data} is a standby for the one on {host}, which serves the "
                "database. To fix, use that one.", failed.stderr)

    def test_it_ends_at_once_while_it_waits(self):
        with Database() as database, Pair(database) as pair:
            second = pair.daemons[1]
            second.process.send_signal(signal.SIGTERM)
            self.assertEqual(second.process.wait(120), 0)
            self.assertFalse((second.data / "standby").exists())
            self.assertEqual(database.run("SELECT count(*) FROM lease WHERE epoch = 1"), ["1"])

    def test_it_waits_until_a_database_that_was_down_answers_again(self):
        import cluster
        with Database() as database, Pair(database) as pair:
            first, second = pair.daemons
            cluster.stop()
            try:
                line_of(second, "standby.problem")
            finally:
                cluster.start()
            # If the lease expired while the database was down, the standby may be the one that gets it.
            line = line_of(second, "standby.recovered", "standby.ended")
            if line["event"] == "standby.recovered":
                self.assertEqual(first.stop(), 0)
            second.wait()

    def test_a_daemon_that_was_replaced_can_be_its_standby(self):
        with Database() as database, Pair(database) as pair:
            first, second = pair.daemons
            self.assertEqual(first.stop(), 0)
            second.wait()
            pair.wait_as_standby(first)
            self.assertEqual(answer(first, "/health"), (503, "standby\n"))


if __name__ == "__main__":
    unittest.main()
