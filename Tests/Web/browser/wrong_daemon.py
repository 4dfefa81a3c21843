"""A daemon that answers wrongly: with other types, without keys, twice, late, or never."""

import json
import random

from standin import StandIn

OTHERS = [None, True, -1, 1.5, 1e300, 1 << 60, "", "x" * 2_000, "\u202e\u0000<img src=x>", [], {},
          [[]], [None], {"": {}}, {"__proto__": 1}]

# What the page needs to be let in; everything else may be wrong.
GREETINGS = "challenge", "welcome"


def places(value, path=()):
    """The paths of all values in a message."""
    members = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


class WrongDaemon(StandIn):
    """Answers rightly until `share` is set: the share of messages that are wrong."""

    def __init__(self, seed, **options):
        super().__init__(**options)
        self.random = random.Random(seed)
        self.share = 0
        # What was changed, for the report of a failed test.
        self.wrongs = []
        # Right messages, one of each type.
        self.said = []

    async def send(self, socket, message):
        if message["type"] in GREETINGS or self.random.random() >= self.share:
            if message["type"] not in [*GREETINGS, *(one["type"] for one in self.said)]:
                self.said.append(message)
            return await super().send(socket, message)
        wrong = self.random.choice([self.changed, self.changed, self.changed, self.confused, self.twice,
                                    self.never, self.refused])
        self.wrongs.append(f"{message['type']}: {wrong.__name__}")
        for one in wrong(json.loads(json.dumps(message))):
            await super().send(socket, one)

    async def send_bytes(self, socket, frame):
        if self.random.random() < self.share:
            self.wrongs.append("overview: cut, or other bytes")
            frame = self.random.choice([
                frame[:self.random.randrange(len(frame))], frame + frame, b"",
                bytes(self.random.randrange(256) for _ in range(len(frame)))])
        await super().send_bytes(socket, frame)

    def changed(self, message):
        """One value is another one, or missing; the answer stays an answer."""
        paths = [path for path in places(message) if path != ("re",)]
        *above, key = self.random.choice(paths)
        inside = message
        for part in above:
            inside = inside[part]
        if self.random.random() < 0.3:
            del inside[key]
        else:
            inside[key] = self.random.choice(OTHERS)
        self.wrongs[-1] += f" at {[*above, key]}"
        return [message]

    def confused(self, message):
        """An answer to another question: as another type, or as it was said of something else."""
        others = [one for one in self.said if one["type"] != message["type"]]
        if not others:
            return [message | {"type": "done"}]
        return [self.random.choice(others) | ({"re": message["re"]} if "re" in message else {})]

    def refused(self, message):
        return [{"type": "error", "code": "failed", "message": "The disk is full."}
                | ({"re": message["re"]} if "re" in message else {})]

    def twice(self, message):
        return [message, message]

    def never(self, message):
        return []
