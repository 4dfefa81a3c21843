"""Answers lines of the form {"from": …, "to": …, "patch": […]} with the public library jsonpatch.

The answer is {"applied": the patched value or the error, "same": whether that is the target,
"patch": the library's own patch between the two, which includes moves and copies}.
"""

import copy
import json
import sys

import jsonpatch


def kinds(value):
    """The value with Booleans kept apart from numbers, which Python considers equal."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [kinds(element) for element in value]
    if isinstance(value, dict):
        return {key: kinds(element) for key, element in value.items()}
    return value


def apply(source, patch):
    """The patched source, or the error as a string."""
    try:
        return jsonpatch.apply_patch(source, copy.deepcopy(patch), in_place=False)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
        return f"{type(error).__name__}: {error}"


def answer(question):
    source, target = question["from"], question["to"]
    applied = apply(source, question["patch"])
    # The library's own patch counts only if the library itself reaches the target with it: it
    # considers true equal to 1, and some of its moves do not apply.
    # Copied, because its values are parts of the target, which applying it would change.
    patch = copy.deepcopy(jsonpatch.make_patch(source, target).patch)
    works = kinds(apply(source, patch)) == kinds(target)
    return {
        "applied": applied,
        "same": kinds(applied) == kinds(target),
        "patch": patch if works else None,
    }


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line)), ensure_ascii=True))
