"""Answers lines of the form {"document": …, "pointer": "…"} with the public library jsonpointer.

The answer is {"found": [the value]}, {"found": []} when nothing is there, or {"bad": true} for a text
that is not a pointer.
"""

import json
import sys

import jsonpointer


def answer(question):
    try:
        pointer = jsonpointer.JsonPointer(question["pointer"])
    except jsonpointer.JsonPointerException:
        return {"bad": True}
    try:
        found = pointer.resolve(question["document"])
    except (jsonpointer.JsonPointerException, TypeError):
        return {"found": []}
    return {"found": [] if isinstance(found, jsonpointer.EndOfList) else [found]}


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line)), ensure_ascii=True))
