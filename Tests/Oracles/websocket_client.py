"""Opens sessions with the public library websockets, sends messages, and waits for as many.

A request is {"uri": …, "send": [text, …], "subprotocols": [...], "origin": …, "authority": path of
a certificate, "socket": path}; only the first two are required. The answer is {"received":
[…], "subprotocol": …}, {"refused": status} or {"failed": kind of error}.
"""

import json
import ssl
import sys

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import connect, unix_connect


def answer(question):
    options = {"compression": None, "open_timeout": 120, "close_timeout": 120, "max_size": None}
    if question.get("subprotocols"):
        options["subprotocols"] = question["subprotocols"]
    if question.get("origin"):
        options["origin"] = question["origin"]
    if question.get("authority"):
        options["ssl"] = ssl.create_default_context(cafile=question["authority"])
    try:
        if question.get("socket"):
            session = unix_connect(question["socket"], question["uri"], **options)
        else:
            session = connect(question["uri"], **options)
    except InvalidStatus as error:
        return {"refused": error.response.status_code}
    except (WebSocketException, OSError) as error:
        return {"failed": type(error).__name__}
    with session:
        for text in question["send"]:
            session.send(text)
        received = [session.recv(timeout=60) for _ in question["send"]]
        return {"received": received, "subprotocol": session.subprotocol}


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line)), ensure_ascii=True))
