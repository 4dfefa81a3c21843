"""A Unix socket in front of the daemon's, which cuts a connection at a message of its client's."""

import json
import pathlib
import tempfile
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import unix_connect
from websockets.sync.server import unix_serve


class CuttingProxy:
    """Forwards messages; after the daemon has answered one of a cut type, both ends are closed."""

    def __init__(self, daemon):
        self.daemon, self.cut, self.seen, self.connections = daemon, set(), [], 0
        self.folder = tempfile.TemporaryDirectory(prefix="cut")
        self.socket = pathlib.Path(self.folder.name) / "s"
        self.server = unix_serve(
            self.forward, str(self.socket), subprotocols=["inspector.v1"], compression=None,
            max_size=None)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.folder.cleanup()

    def forward(self, client):
        self.connections += 1
        ending = set()
        with unix_connect(
                str(self.daemon.socket), uri="ws://localhost/", subprotocols=["inspector.v1"],
                compression=None, max_size=None) as server:
            threading.Thread(target=self.back, args=(server, client, ending), daemon=True).start()
            try:
                for frame in client:
                    message = json.loads(frame)
                    self.seen.append(message["type"])
                    if message["type"] in self.cut:
                        ending.add(message["id"])
                    server.send(frame)
            except ConnectionClosed:
                pass

    def back(self, server, client, ending):
        try:
            for frame in server:
                if isinstance(frame, str) and json.loads(frame).get("re") in ending:
                    break
                client.send(frame)
        except ConnectionClosed:
            pass
        client.close()
