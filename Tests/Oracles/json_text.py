"""Answers lines of two words, a text and our output for it (or -), both in hexadecimal digits.

The answer is "reject" if Python's json module rejects the text, else "same" or "differs", which says
whether our output means the same. The module also rejects what this project rejects and JSON parsers
usually accept: NaN and Infinity, a duplicate key in an object, half a surrogate pair.
"""

import json
import sys
from decimal import Decimal


def refuse(word):
    raise ValueError(word)


def members(pairs):
    result = {key: value for key, value in pairs}
    if len(result) != len(pairs):
        raise ValueError("a key twice")
    return result


def number(text):
    value = Decimal(text)
    # Zero and minus zero differ.
    return ("number", value, value == 0 and text.startswith("-"))


def read(text):
    value = json.loads(
        text,
        object_pairs_hook=members,
        parse_constant=refuse,
        parse_int=number,
        parse_float=number,
    )
    check(value)
    return value


def check(value):
    """Rejects half a surrogate pair, which cannot be encoded."""
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, list):
        for element in value:
            check(element)
    elif isinstance(value, dict):
        for key, element in value.items():
            check(key)
            check(element)


def kinds(value):
    """The value with Booleans kept apart from numbers."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [kinds(element) for element in value]
    if isinstance(value, dict):
        return {key: kinds(element) for key, element in value.items()}
    return value


def answer(theirs, ours):
    try:
        value = read(bytes.fromhex(theirs).decode("utf-8"))
    except ValueError:
        return "reject"
    if ours == "-":
        return "accept"
    same = kinds(read(bytes.fromhex(ours).decode("utf-8"))) == kinds(value)
    return "same" if same else "differs"


for line in open(sys.argv[1], encoding="ascii"):
    print(answer(*line.split()))
