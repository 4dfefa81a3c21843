"""Ports for programs that are started later."""

import random
import socket


def free_port():
    """A free port that the system gives to no program by itself, as it does from 32,768 on."""
    while True:
        port = random.randrange(20_000, 30_000)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue


def free_address():
    """Where a daemon can listen again after it was away, because no other program got its port."""
    return f"127.0.0.1:{free_port()}"
