"""A coding agent's side of `debugd mcp`: one line of JSON-RPC each way."""

import json
import os
import subprocess
import unittest
import uuid

from daemon import BUILD, Daemon

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Agent:
    """`debugd mcp` as a process that a test talks to line by line."""

    def __init__(self, daemon, *options):
        self.process = subprocess.Popen(
            [BUILD / "debugd", "mcp", "--data", daemon.data, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=daemon.environment)
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **parameters):
        """The result of a request in the revision without a beginning."""
        self.count += 1
        self.write({
            "jsonrpc": "2.0", "id": self.count, "method": method,
            "params": {"_meta": META, **parameters}})
        reply = self.read()
        assert reply["id"] == self.count, reply
        return reply["result"]

    def tools(self):
        return {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}

    def text(self, tool, **arguments):
        """What a tool answers, and whether that is an error."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        (content,) = result["content"]
        return content["text"], result["isError"]

    def call(self, tool, **arguments):
        text, is_error = self.text(tool, **arguments)
        assert not is_error, text
        return json.loads(text)

    def refusal(self, tool, **arguments):
        text, is_error = self.text(tool, **arguments)
        assert is_error, text
        return text


class AgentCase(unittest.TestCase):
    """Tests with a daemon, and agents that ask it."""

    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.daemon.start()

    def agent(self, *options):
        agent = Agent(self.daemon, *options)
        self.addCleanup(agent.__exit__)
        return agent

    def imported(self, name, entries, **machine):
        """A timeline with these entries, imported from a file."""
        header = {
            "timeline": str(uuid.uuid4()), "format": 1, "app": {"name": "a"},
            "machine": {"type": "a", "name": name, **machine}, "started": "2026-05-01T08:00:00Z"}
        path = self.daemon.data / f"{name}.timeline"
        path.write_text("".join(json.dumps(line) + "\n" for line in [header, *entries]))
        self.daemon.run("import", path)
