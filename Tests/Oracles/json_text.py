"""Answers lines of two words, a text and what we made of it (or -), both in hexadecimal digits.

The answer is "reject" where Python's json module refuses the text, else "same" or "differs", as
what we made of it means the same. The module is told to refuse what this project's rules refuse and
it would take: NaN and Infinity, a key twice in one object, half a surrogate pair.
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
    # Zero and minus zero are told apart.
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
    """Refuses half a surrogate pair, which cannot be encoded."""
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
    """The value with Booleans told from numbers."""
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
