"""The floor of the page: the least that a page with the same task has to do."""

import contextlib
import json
import pathlib
import shutil
import tempfile

from browsing import ROOT

HERE = pathlib.Path(__file__).resolve().parent / "floor"
# Where the floor is, next to the inspector's own files. Its modules are at their usual distance.
PLACE = "Tests/Web/bench/floor"
PAGE = f"{PLACE}/index.html"
MODULES = ["base/hmac.js", "base/sha256.js", "wire/handshake.js"]


@contextlib.contextmanager
def site():
    """A folder with the inspector and its floor, so that one daemon serves both."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "site"
        shutil.copytree(ROOT / "web", folder)
        shutil.copytree(HERE, folder / PLACE)
        for module in MODULES:
            target = folder / "web" / module
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "web" / module, target)
        yield folder


def write_task(folder, opened, bytes, last):
    """What the floor has to do: as much as the inspector did until it was open."""
    task = {
        "questions": opened["questions"], "rows": opened["rows"], "lines": opened["lines"],
        "last": last,
    }
    files = [*(folder / PLACE).iterdir(), *(folder / "web" / one for one in MODULES)]
    own = sum(file.stat().st_size for file in files if file.name != "task.json")
    ballast = max(0, bytes - own - len(json.dumps(task)))
    (folder / PLACE / "task.json").write_text(json.dumps(task | {"ballast": "x" * ballast}))


def questions(frames):
    """The requests that the inspector sent before it received the state, without their ids.

    `frames` are ("sent" or "received", text), in order.
    """
    asked = []
    for direction, text in frames:
        if direction == "received":
            if text.startswith('{"type":"state"'):
                return asked
            continue
        message = json.loads(text)
        if message["type"] != "hello":
            asked.append({name: value for name, value in message.items() if name != "id"})
    raise AssertionError("the inspector received no state")


def shown(page):
    """How many rows of entries and of the state a page shows."""
    return page.evaluate("""() => ({
        rows: document.querySelectorAll("tt-events [data-seq]:not([hidden])").length,
        lines: document.querySelectorAll("tt-state-tree .tree-row:not([hidden])").length,
    })""")
