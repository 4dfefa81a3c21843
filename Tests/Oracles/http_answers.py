"""Sends bytes to a server on 127.0.0.1, and parses the responses with Python's HTTP client.

A request is {"port": …, "bytes": "text in Latin-1", "methods": ["GET", …]}: one response is read for
each method. Responses are lists of {"status": …, "headers": {…}, "body": …}; "closed" means that a
response is missing.
"""

import http.client
import json
import socket
import sys


def read(stream, method):
    class Connection:
        def makefile(self, *_):
            return stream

    response = http.client.HTTPResponse(Connection(), method=method)
    try:
        response.begin()
        body = response.read()
    except (http.client.HTTPException, OSError):
        return "closed"
    return {
        "status": response.status,
        "headers": {name.lower(): value for name, value in response.getheaders()},
        "body": body.decode("utf-8", "replace") if len(body) < 4096 else f"{len(body)} bytes",
    }


class Stream:
    """A file made from a socket. A response must not close it, because the next one follows on it."""

    def __init__(self, connection):
        self.file = connection.makefile("rb")

    def close(self):
        pass

    def __getattr__(self, name):
        return getattr(self.file, name)


def answer(question):
    with socket.create_connection(("127.0.0.1", question["port"]), timeout=60) as connection:
        try:
            connection.sendall(question["bytes"].encode("latin-1"))
        except OSError:
            pass
        stream = Stream(connection)
        return [read(stream, method) for method in question["methods"]]


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line)), ensure_ascii=True))
