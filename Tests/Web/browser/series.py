"""A daemon's reply to `series`, computed by reading every moment."""

ABSENT = {"is": "absent"}


def value_at(moment, path):
    """The part of the value at a pointer that a drawing shows."""
    for token in path.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(moment, dict) and token in moment:
            moment = moment[token]
        elif isinstance(moment, list) and token.isdigit() and int(token) < len(moment):
            moment = moment[int(token)]
        else:
            return ABSENT
    if isinstance(moment, list):
        return {"is": "array", "count": len(moment)}
    if isinstance(moment, dict):
        return {"is": "object"} | ({"case": next(iter(moment))} if len(moment) == 1 else {})
    return moment


def number(value):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def series(lines, moment_of, path, message):
    """The lists of one path."""
    points = []
    before = None
    size = message["to"] - message["from"] + 1
    for line in lines:
        bucket = (line[message["by"]] - message["from"]) * message["buckets"] // size
        if bucket >= message["buckets"]:
            break
        value = value_at(moment_of(line["seq"]), path)
        if bucket >= 0 and (not points or value != before):
            if not points or points[-1]["at"] != bucket:
                start = number(value if before is None else before)
                points.append({"at": bucket, "least": start, "greatest": start, "changes": 0})
            point = points[-1]
            numbers = [one for one in (number(value), point["least"], point["greatest"])
                       if one is not None]
            point |= {"last": value, "least": min(numbers, default=None),
                      "greatest": max(numbers, default=None),
                      "changes": point["changes"] + (before is not None and value != before)}
        before = value
    return {key: [point[key] for point in points]
            for key in ("at", "last", "least", "greatest", "changes")}
