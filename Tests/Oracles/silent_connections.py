"""Opens TCP connections that send nothing, then requests a page over one more.

A request is {"port": …, "silent": how many}. The answer is {"ended": how many of the silent ones the
server closed before it answered, "status": the status line}.
"""

import json
import socket
import sys


def has_ended(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def answer(question):
    port = question["port"]
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(question["silent"])]
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        status = client.makefile("rb").readline().decode().strip()
    ended = sum(has_ended(connection) for connection in silent)
    for connection in silent:
        connection.close()
    return {"ended": ended, "status": status}


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line))))
