"""The VS Code extension is a manifest without code, and fits what debugd dap answers."""

import json
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Extension(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "stateline.vsix")

    def build(self):
        return subprocess.run(
            [f"{ROOT}/scripts/vsix", self.path], check=True, capture_output=True, text=True).stdout

    def test_it_contains_a_manifest_and_a_page_and_nothing_else(self):
        self.build()
        with zipfile.ZipFile(self.path) as archive:
            self.assertEqual(sorted(archive.namelist()), [
                "[Content_Types].xml", "extension.vsixmanifest", "extension/README.md",
                "extension/package.json"])
            package = json.loads(archive.read("extension/package.json"))
            manifest = xml.etree.ElementTree.fromstring(archive.read("extension.vsixmanifest"))
            xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))
            page = archive.read("extension/README.md").decode()
        assets = {asset.get("Path") for asset in manifest.iter() if asset.tag.endswith("}Asset")}
        self.assertEqual(assets, {"extension/README.md", "extension/package.json"})
        [debugger] = package["contributes"]["debuggers"]
        example = json.loads(re.search("```json\\n(.*?)```", page, re.S)[1])
        self.assertEqual(example, debugger["initialConfigurations"][0])
        self.assertEqual(
            re.findall(r"^\| `(\w+)`", page, re.M),
            list(debugger["configurationAttributes"]["launch"]["properties"]))
        self.assertNotIn("main", package)
        self.assertNotIn("browser", package)
        self.assertNotIn("activationEvents", package)
        [debugger] = package["contributes"]["debuggers"]
        self.assertEqual([debugger["runtime"], *debugger["runtimeArgs"]], ["debugd", "dap"])
        self.assertEqual(debugger["type"], debugger["initialConfigurations"][0]["type"])
        name = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
        identity = manifest.find(f"{name}Metadata/{name}Identity")
        self.assertEqual(identity.get("Version"), package["version"])
        self.assertEqual(identity.get("Id"), package["name"])

    def test_its_settings_are_those_that_the_adapter_reads(self):
        self.build()
        with zipfile.ZipFile(self.path) as archive:
            package = json.loads(archive.read("extension/package.json"))
        [debugger] = package["contributes"]["debuggers"]
        named = set(debugger["configurationAttributes"]["launch"]["properties"])
        with open(f"{ROOT}/Sources/debugd/DAP/DAPSession.swift") as file:
            opening = file.read().split("init(_ request")[1].split("\n  }\n")[0]
        self.assertEqual(named, set(re.findall(r'request\.\w+\("(\w+)"\)', opening)))

    def test_the_same_sources_give_the_same_bytes(self):
        first = self.build()
        with open(self.path, "rb") as file:
            before = file.read()
        self.build()
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertIn(f"code --install-extension {self.path}", first)

    def test_mistakes_end_it_with_a_sentence(self):
        for words, said in (
            (["/nope/x.vsix"],
             "scripts/vsix: /nope/x.vsix cannot be written: No such file or directory. To fix, name "
             "another FILE.\n"),
            (["a", "b"], "scripts/vsix: it takes one FILE, not 2\n\nusage: scripts/vsix [FILE]\n"),
        ):
            ran = subprocess.run([f"{ROOT}/scripts/vsix", *words], capture_output=True, text=True)
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
            self.assertTrue(ran.stderr.startswith(said), ran.stderr)


if __name__ == "__main__":
    unittest.main()
