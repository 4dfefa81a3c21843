"""The gallery's machines: as an app that records, as a host, and as recordings of any length."""

import json
import os
import pathlib
import re
import subprocess
import uuid

from live import DaemonTest, page_daemon, recorders_of
from page import LIMIT, ROOT, Late

GALLERY = pathlib.Path(os.environ.get(
    "EXAMPLES_BUILD", os.path.join(ROOT, ".build", "debug"))) / "Gallery"

COIN = {
    "app": {"name": "Gallery"},
    "machine": {"type": "Machines.CoinState", "module": "Machines", "name": "coin",
                "kind": "states", "make": "Machines.CoinState.self"},
    "started": "2026-05-01T08:00:00Z",
    "outputs": {"side": "ui", "celebrate": "data"},
    "format": 1,
}


def coin_lines(count, thinned=()):
    """A coin that is flipped repeatedly; of some entries, only the event was captured."""
    yield {"seq": 0, "t": 0, "state": {"isHeads": True, "flips": 0},
           "outputState": {"side": "Heads"}}
    for seq in range(1, count):
        state = {"isHeads": seq % 2 == 0, "flips": seq}
        side = "Heads" if state["isHeads"] else "Tails"
        celebrates = seq % 10 == 0
        entry = {"seq": seq, "t": seq * 1_000, "event": "flipped"}
        if seq in thinned:
            pass
        elif seq - 1 in thinned:
            entry |= {"state": state,
                      "outputState": {"side": side} | ({"celebrate": {}} if celebrates else {})}
        else:
            entry["patch"] = [{"op": "replace", "path": f"/{key}", "value": state[key]}
                              for key in state]
            entry["outputs"] = [{"op": "replace", "path": "/side", "value": side}]
            if celebrates:
                entry["outputs"].append({"op": "add", "path": "/celebrate", "value": {}})
            elif seq % 10 == 1 and seq > 1:
                entry["outputs"].append({"op": "remove", "path": "/celebrate"})
        yield entry


def write_coin(path, count, thinned=()):
    """Writes a file of a coin; returns the timeline's id."""
    timeline = str(uuid.uuid4())
    with open(path, "w", encoding="utf-8") as file:
        for line in [COIN | {"timeline": timeline}, *coin_lines(count, thinned)]:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return timeline


class PlayingTest(DaemonTest):
    """A daemon, and optionally the gallery as an app, which is its own host."""

    @classmethod
    def run_gallery(cls):
        """Starts the gallery; it ends with the class."""
        own = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        own["DEBUGD"] = recorders_of(cls.daemon)
        cls.app = subprocess.Popen(
            [GALLERY], env=own, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.end)

    @classmethod
    def end(cls):
        cls.app.kill()
        cls.app.wait()
        cls.app.stdin.close()

    def open_machine(self, page, name):
        """Opens the machine's newest timeline from the list, whatever else begins meanwhile."""
        named = page.locator(".machine:visible").filter(
            has=page.locator(".machine-name", has_text=re.compile(f"^{name}$")))
        # The list may be long, so search it.
        page.fill(".source-search", name)

        def is_shown():
            # The title changes a moment later.
            if f"› {name} @" not in page.title():
                # A row may move after it is found; then try again.
                try:
                    named.first.click()
                except Late:
                    return False
                page.wait_for_timeout(300)
            return f"› {name} @" in page.title()

        self.comes(page, is_shown, f"{name} is shown", seconds=3 * LIMIT)
        page.fill(".source-search", "")
        page.evaluate("document.activeElement.blur()")

    def summary(self, timeline):
        """The daemon's summary of a timeline."""
        return next(one for one in map(json.loads, self.daemon.run(
            "list", "--json").stdout.splitlines()) if one["header"]["timeline"] == timeline)


class GalleryTest(PlayingTest):
    """A daemon that has the gallery as its host."""

    @classmethod
    def setUpClass(cls):
        super(DaemonTest, cls).setUpClass()
        if not GALLERY.exists():
            raise FileNotFoundError(f"{GALLERY} is not built; EXAMPLES_BUILD says where it is")
        cls.daemon = cls.enterClassContext(page_daemon(options=["--host", str(GALLERY)]))

    @classmethod
    def import_coin(cls, count, thinned=()):
        path = cls.in_folder(f"{uuid.uuid4()}.timeline")
        write_coin(path, count, thinned)
        # A debug build needs its time for a long one.
        return cls.daemon.run("import", path, timeout=300).stdout.split()[0]

    def open_coin(self, timeline, seq, **options):
        """A page at an entry of a coin, ready to change it."""
        page = self.open_page(timeline, hash=f"&seq={seq}", **options)
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')",
                   seconds=60)
        return page

    def lines_of(self, timeline):
        """The stored recording."""
        return self.daemon.run("export", timeline, "-o", "-").stdout
