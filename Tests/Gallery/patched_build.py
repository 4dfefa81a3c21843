"""Rebuilds the example programs with a change, as the walkthrough makes it: in a copy of the sources,
linked with the objects that are already built."""

import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PatchedBuild:
    """Builds programs with the machines of Examples/, with or without a fix."""

    def __init__(self, folder, build):
        self.folder = pathlib.Path(folder)
        self.build = build
        self.flags = ["-swift-version", "6", "-Onone", "-I", str(build / "Modules")]
        for map_ in ROOT.glob("Sources/C*/module.modulemap"):
            self.flags += ["-I", str(map_.parent)]

    def swiftc(self, place, *words):
        done = subprocess.run(
            ["swiftc", *self.flags, *map(str, words)], cwd=place, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"swiftc failed in {place}: {(done.stdout + done.stderr)[-2000:]}")

    def objects(self, program):
        """The object files that a program of the examples is linked from."""
        listed = self.build / f"{program}.product" / "Objects.LinkFileList"
        return [path for path in listed.read_text().split() if not path.endswith(".swiftmodule.o")]

    def patched(self, file, line, by):
        """The objects of the machines, with one line of one file replaced."""
        place = self.folder / "Patched"
        shutil.copytree(ROOT / "Examples" / "Sources" / "Machines", place)
        source = place / file
        text = source.read_text("utf-8")
        found = re.findall(rf"^ *{re.escape(line)}$", text, re.MULTILINE)
        if len(found) != 1:
            raise AssertionError(f"{file} has {len(found)} lines '{line}'")
        source.write_text(text.replace(found[0], by), "utf-8")
        self.swiftc(
            place, "-c", "-parse-as-library", "-module-name", "Machines", "-package-name", "examples",
            *place.rglob("*.swift"))
        return list(map(str, place.glob("*.o")))

    def link(self, program, machines, out):
        """Links a program with other machines."""
        others = [path for path in self.objects(program) if "/Machines.build/" not in path]
        self.swiftc(
            self.folder, "-o", out, *others, *machines, "-Xlinker", f"--defsym=main={program}_main")

    def passes(self, test, machines=None):
        """Whether an exported test passes, and its output."""
        suite, function = re.search(r"struct (\w+).*?func (\w+)\(\)", test, re.DOTALL).groups()
        body = re.sub(r"^\s*@(Suite|Test).*\n", "", test, flags=re.MULTILINE)
        place = self.folder / f"{suite}{'Patched' if machines else ''}"
        place.mkdir()
        (place / "main.swift").write_text(
            f"import Machines\nimport StatesTesting\n\n{body}\n"
            f"do {{ try {suite}().{function}() }} catch {{ print(error) }}\n")
        libraries = [path for path in self.objects("Elsewhere")
                     if "/Elsewhere.build/" not in path and "/Machines.build/" not in path]
        # By source: the object of a source that was renamed stays in the folder.
        libraries += [str(self.build / "StatesTesting.build" / f"{source.name}.o")
                      for source in (ROOT / "Sources" / "StatesTesting").rglob("*.swift")]
        machines = machines or [
            path for path in self.objects("Elsewhere") if "/Machines.build/" in path]
        self.swiftc(place, "main.swift", "-o", "test", *libraries, *machines)
        ran = subprocess.run([place / "test"], capture_output=True, text=True, timeout=60)
        return ran.returncode == 0 and not ran.stdout, ran.stdout + ran.stderr
