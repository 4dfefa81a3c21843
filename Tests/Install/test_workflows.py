"""The GitHub Actions workflows in the documents: parsed, and checked against GitHub's rules."""

import re
import shlex
import subprocess
import textwrap
import unittest

import yaml

from daemon import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# https://docs.github.com/actions/reference/workflow-syntax-for-github-actions
WORKFLOW = {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"}
JOB = {
    "name", "needs", "permissions", "if", "runs-on", "environment", "concurrency", "outputs", "env",
    "defaults", "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services",
}
STEP = {
    "id", "if", "name", "uses", "run", "working-directory", "shell", "with", "env",
    "continue-on-error", "timeout-minutes",
}
EVENTS = {"push", "pull_request", "workflow_dispatch", "schedule", "release"}
# The inputs of the actions in the documents, from their action.yml files.
INPUTS = {
    "actions/checkout@v4": {
        "repository", "ref", "token", "ssh-key", "persist-credentials", "path", "clean", "filter",
        "sparse-checkout", "fetch-depth", "fetch-tags", "show-progress", "lfs", "submodules",
    },
    "actions/upload-artifact@v4": {
        "name", "path", "if-no-files-found", "retention-days", "compression-level", "overwrite",
        "include-hidden-files",
    },
}
# What Swift's container images have, besides the scripts of this repository.
# debugd is in the image of jobs that push recordings, as docs/team.md says.
PROGRAMS = {"apt-get", "debugd", "echo", "git", "swift"}


class Loader(yaml.SafeLoader):
    """YAML as GitHub reads it: `on` is a word, not a Boolean."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def blocks(text):
    """The YAML blocks, without the indentation of the list that they are in."""
    return [textwrap.dedent(block) for _, block in
            re.findall(r"^( *)```yaml\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE)]


def packages():
    """The packages that the scripts install for this repository."""
    found = set()
    for need in (ROOT / "scripts/needs").glob("*.sh"):
        found.update(re.search(r'^packages="(.*)"', need.read_text(), re.MULTILINE)[1].split())
    return found


def problems(block):
    """What GitHub or its shell would reject in a workflow, or in a list of steps."""
    parsed = yaml.load(block, Loader)
    if isinstance(parsed, list):
        return [each for step in parsed for each in of_step(step, False)]
    if not isinstance(parsed, dict):
        return ["neither a workflow nor steps"]
    found = unknown("the workflow", parsed, WORKFLOW)
    found += [f"the workflow has no '{key}'" for key in ("on", "jobs") if key not in parsed]
    events = parsed.get("on", [])
    found += [f"no event '{one}'" for one in ([events] if isinstance(events, str) else events)
              if one not in EVENTS]
    jobs = parsed.get("jobs", {})
    for name, job in jobs.items():
        found += unknown(name, job, JOB)
        found += [f"{name} has no '{key}'" for key in ("runs-on", "steps") if key not in job]
        needs = job.get("needs", [])
        found += [f"{name} needs '{one}', which is not a job"
                  for one in ([needs] if isinstance(needs, str) else needs) if one not in jobs]
        for step in job.get("steps", []):
            found += of_step(step, "container" in job)
    return found


def unknown(place, mapping, keys):
    return [f"{place} has no key '{key}'" for key in mapping if key not in keys]


def of_step(step, in_container):
    title = step.get("name") or step.get("uses") or step.get("run") or str(step)
    found = unknown(title, step, STEP)
    if ("uses" in step) == ("run" in step):
        found.append(f"{title}: a step has either 'uses' or 'run'")
    if "uses" in step:
        inputs = INPUTS.get(step["uses"])
        found += [f"{title}: not an action that this test knows"] if inputs is None else \
            unknown(title, step.get("with", {}), inputs)
    elif "with" in step:
        found.append(f"{title}: 'with' is for actions")
    if "run" in step:
        found += of_commands(step["run"])
    # GitHub inserts the path outside of the container, which does not exist inside.
    if in_container and "github.workspace" in yaml.dump(step):
        found.append(f"{title}: in a container, write $GITHUB_WORKSPACE")
    return found


def of_commands(text):
    checked = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    if checked.returncode:
        return [checked.stderr.strip()]
    found = []
    for line in re.split(r"&&|\|\||[;\n]", text):
        words = shlex.split(line, comments=True)
        while words and re.match(r"\w+=", words[0]):
            del words[0]
        if not words:
            continue
        if words[0] not in PROGRAMS and not (ROOT / words[0]).is_file():
            found.append(f"'{words[0]}' is not a program of the image, or a script")
        if words[:2] == ["apt-get", "install"]:
            found += [f"'{word}' is not a package that this repository needs"
                      for word in words[2:] if not word.startswith("-") and word not in packages()]
    return found


class Workflows(unittest.TestCase):
    def test_the_workflows_of_the_documents_are_valid(self):
        found = {path: blocks(path.read_text("utf-8")) for path in DOCUMENTS}
        whole = 0
        for path, texts in found.items():
            for text in texts:
                with self.subTest(path.name):
                    self.assertEqual(problems(text), [])
                whole += isinstance(yaml.load(text, Loader), dict)
        self.assertGreater(whole, 0, "no document has a whole workflow")

    def test_the_steps_of_a_fragment_are_those_of_the_workflow(self):
        steps = {}
        for path in DOCUMENTS:
            for text in blocks(path.read_text("utf-8")):
                parsed = yaml.load(text, Loader)
                jobs = parsed["jobs"].values() if isinstance(parsed, dict) else [{"steps": parsed}]
                every = (step for job in jobs for step in job["steps"])
                for step in (step for step in every if {"if", "uses"} <= step.keys()):
                    self.assertEqual(steps.setdefault(step["uses"], step), step, path.name)

    def test_planted_faults_are_found(self):
        good = textwrap.dedent("""\
            on: [push]
            jobs:
              build:
                runs-on: ubuntu-latest
                container: swift
                steps:
                  - run: apt-get install -y libwebsockets-dev && swift build
              test:
                needs: build
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                    with: { path: shop }
                  - run: X=1 swift test
                    working-directory: shop
            """)
        self.assertEqual(problems(good), [])
        for old, new, fault in [
            ("on: [push]\n", "", "no 'on'"),
            ("[push]", "[pushed]", "no event 'pushed'"),
            ("jobs:", "job:", "no 'jobs'"),
            ("needs: build", "needs: builds", "'builds', which is not a job"),
            ("runs-on: ubuntu-latest\n    steps", "run-on: ubuntu-latest\n    steps", "'run-on'"),
            ("- run: X", "- runs: X", "either 'uses' or 'run'"),
            ("@v4", "@v4\n        run: swift", "either 'uses' or 'run'"),
            ("{ path:", "{ folder:", "'folder'"),
            ("actions/checkout@v4", "actions/checkout@v0", "not an action"),
            ("working-directory: shop", "with: { path: shop }", "for actions"),
            ("swift build", "swift build)", "syntax error"),
            ("swift build", "swfit build", "'swfit' is not a program"),
            ("libwebsockets-dev", "libwebsocket-dev", "'libwebsocket-dev' is not a package"),
            ("swift build", "swift build ${{ github.workspace }}", "$GITHUB_WORKSPACE"),
        ]:
            with self.subTest(fault):
                self.assertIn(old, good)
                self.assertIn(fault, "\n".join(problems(good.replace(old, new, 1))))


if __name__ == "__main__":
    unittest.main()
