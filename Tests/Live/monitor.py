"""Reads metrics as a monitor does: the public library of Prometheus parses what the daemon serves."""

import http.client

from prometheus_client.parser import text_string_to_metric_families


def address(daemon):
    """The host and the port of the metrics."""
    [line] = [line for line in daemon.lines() if line.get("event") == "metrics"]
    host, port = line["address"].removeprefix("http://").removesuffix("/metrics").rsplit(":", 1)
    return host, int(port)


def get(daemon, path="/metrics", method="GET", **headers):
    host, port = address(daemon)
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def samples(daemon):
    """All values, each by its name and labels."""
    answer, text = get(daemon)
    assert answer.status == 200, text
    result = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        for sample in family.samples:
            key = (sample.name, *sorted(sample.labels.items()))
            assert key not in result, f"{key} comes twice"
            result[key] = sample.value
    return result
