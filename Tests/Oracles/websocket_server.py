"""A server of the public library websockets that echoes every message.

Prints its port, and ends when its standard input does. Arguments: "certificate key" for TLS.
The path /close ends the session with 4002 and "go away"; /fragments answers each message in three
fragments; /refuse is refused with 503.
"""

import http
import ssl
import sys
import threading

from websockets.sync.server import serve


def handle(session):
    path = session.request.path
    if path == "/close":
        session.close(4002, "go away")
        return
    for message in session:
        if path == "/fragments":
            third = len(message) // 3
            session.send([message[:third], message[third : 2 * third], message[2 * third :]])
        else:
            session.send(message)


def gate(session, request):
    if request.path == "/refuse":
        return session.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "not now\n")


context = None
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
with serve(
    handle, "127.0.0.1", 0, ssl=context, process_request=gate, compression=None,
    subprotocols=["chat.v1"], select_subprotocol=lambda _, offered: (offered or [None])[0],
    max_size=None,
) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.socket.getsockname()[1], flush=True)
    sys.stdin.read()
    server.shutdown()
