"""Editors: what is not part of this repository, where variables name it.

DAP_SCHEMA names the protocol's schema, debugAdapterProtocol.json of microsoft/debug-adapter-protocol:
every message is validated, and a client generated from it sends every request. The suite takes it from
a Python package. NVIM_DAP names a copy
of nvim-dap, with which a Neovim without a window steps through a recording.
"""

import json
import os
import pathlib
import subprocess
import unittest

import jsonschema

from daemon import BUILD, ROOT
from editors import EditorTest

SCHEMA = os.environ.get("DAP_SCHEMA")
NVIM_DAP = os.environ.get("NVIM_DAP")


@unittest.skipUnless(SCHEMA, "DAP_SCHEMA does not name the protocol's schema")
class Schema(EditorTest):
    """The protocol's own schema: what the adapter writes is valid, and every request is answered."""

    @classmethod
    def setUpClass(cls):
        cls.definitions = json.loads(pathlib.Path(SCHEMA).read_text())["definitions"]

    def validate(self, message, definition):
        schema = {"$ref": f"#/definitions/{definition}", "definitions": self.definitions}
        jsonschema.Draft4Validator(schema).validate(message)

    def test_every_message_is_valid(self):
        played, messages = self.play()
        for step in played:
            request = {"seq": 1, "type": "request", "command": step["command"],
                       "arguments": step["arguments"]}
            self.validate(request, step["command"][0].upper() + step["command"][1:] + "Request")
        for message in messages:
            if message["type"] == "event":
                name = message["event"]
                self.validate(message, name[0].upper() + name[1:] + "Event")
            elif message["success"]:
                name = message["command"]
                self.validate(message, name[0].upper() + name[1:] + "Response")
            else:
                self.validate(message, "ErrorResponse")

    def test_a_generated_client_gets_an_answer_to_every_request(self):
        commands = {}
        for name, definition in self.definitions.items():
            for part in definition.get("allOf", []):
                command = part.get("properties", {}).get("command", {}).get("enum", [None])[0]
                if name.endswith("Request") and command:
                    commands[command] = part["properties"].get("arguments", {})
        self.assertGreater(len(commands), 35)
        editor = self.editor()
        editor.launch("cart.timeline")
        for command, schema in sorted(commands.items()):
            if command in ("disconnect", "runInTerminal", "startDebugging", "launch", "attach"):
                continue
            with self.subTest(command):
                message = self.send_anything(editor, command, self.example(schema))
                if message["success"]:
                    self.validate(message, command[0].upper() + command[1:] + "Response")
                else:
                    self.validate(message, "ErrorResponse")

    def example(self, schema):
        """A value that is valid for a schema, with its required members."""
        if "$ref" in schema:
            return self.example(self.definitions[schema["$ref"].split("/")[-1]])
        if "enum" in schema:
            return schema["enum"][0]
        if "allOf" in schema:
            return {key: value for part in schema["allOf"] for key, value in self.example(part).items()}
        kind = schema.get("type", "object")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return {name: self.example(schema["properties"][name])
                    for name in schema.get("required", [])}
        return {"string": "x", "integer": 1, "number": 1, "boolean": True,
                "array": [self.example(schema.get("items", {}))]}[kind]


@unittest.skipUnless(
    NVIM_DAP,
    "NVIM_DAP does not name a copy of nvim-dap. To run it: sudo apt-get install neovim; "
    "git clone --branch 0.10.0 https://github.com/mfussenegger/nvim-dap /tmp/nvim-dap; "
    "NVIM_DAP=/tmp/nvim-dap scripts/test live:Neovim")
class Neovim(EditorTest):
    def test_it_steps_through_a_recording_in_both_directions(self):
        ran = subprocess.run(
            ["nvim", "--headless", "--clean", "--cmd", f"set rtp^={NVIM_DAP}",
             "-c", f"luafile {ROOT}/Tests/Live/neovim.lua", "-c", "qa!"],
            cwd=self.folder, capture_output=True, text=True, timeout=300,
            env={**os.environ, "DEBUGD": str(BUILD / "debugd")})
        output = ran.stdout + ran.stderr
        lines = [one for one in output.splitlines() if one.startswith("{")]
        self.assertEqual(len(lines), 1, output)
        answer = json.loads(lines[0])
        self.assertTrue(answer["stepBack"])
        self.assertEqual(
            [(one["reason"], one["frame"].split()[0], one["line"]) for one in answer["places"]],
            [("entry", "8", 0), ("breakpoint", "7", 3), ("step", "6", 1), ("step", "7", 3)])
