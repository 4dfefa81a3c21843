"""The ports that tests choose for programs that are started later, or again."""

import pathlib
import unittest

from daemon import Daemon
from ports import free_address, free_port

RANGE = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")


class Ports(unittest.TestCase):
    def test_the_system_gives_them_to_no_other_program(self):
        first, last = map(int, RANGE.read_text().split())
        for _ in range(200):
            port = free_port()
            self.assertFalse(first <= port <= last, port)

    def test_a_daemon_is_back_where_it_was(self):
        with Daemon(listen=free_address()) as daemon:
            address = daemon.address
            daemon.kill()
            daemon.start()
            self.assertEqual(daemon.address, address)


if __name__ == "__main__":
    unittest.main()
