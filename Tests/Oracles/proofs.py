"""Hashes and proofs from Python's standard library.

Each line is a key and a message in hexadecimal digits, separated by a space; the answer is SHA-256 of
the message and HMAC-SHA-256 of it with the key.
"""

import hashlib
import hmac
import sys

with open(sys.argv[1], encoding="utf-8") as questions:
    for line in questions:
        key, _, message = line.rstrip("\n").partition(" ")
        key, message = bytes.fromhex(key), bytes.fromhex(message)
        print(hashlib.sha256(message).hexdigest(), hmac.new(key, message, "sha256").hexdigest())
