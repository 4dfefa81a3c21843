"""The page as a daemon serves it, with recordings that came from files and from running apps."""

import os
import pathlib
import re
import sys

from page import BrowserTest, ROOT

sys.path.insert(0, os.path.join(ROOT, "Tests", "Live"))

from daemon import Daemon  # noqa: E402: the path above leads to it
from probe import Probe  # noqa: E402, F401: for the tests


class DaemonTest(BrowserTest):
    """One daemon and one browser for the tests of a class; each test has a session of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.daemon = cls.enterClassContext(cls.make_daemon())

    @staticmethod
    def make_daemon(**options):
        return Daemon(environment={"DEBUGD_WEB": os.path.join(ROOT, "web")}, **options)

    @classmethod
    def import_file(cls, path, daemon=None):
        """Imports a file; the id that its timeline got."""
        return (daemon or cls.daemon).run("import", path).stdout.split()[0]

    def link(self, daemon=None, look=False):
        """The address that `debugd open` leads to, with a code that is good once."""
        words = ["open", "--print", *(["--look"] if look else [])]
        page = pathlib.Path((daemon or self.daemon).run(*words).stdout.strip())
        return re.search(r'url=([^"]+)"', page.read_text()).group(1)

    def open_page(self, timeline=None, daemon=None, look=False, hash="", **options):
        """A new page, signed in; at a timeline when one is given."""
        context = self.new_context(**options)
        place = (f"&timeline={timeline}" if timeline else "") + hash
        page = self.visit(context, self.link(daemon, look) + place)
        page.wait_for_selector(".tree-row" if timeline else ".machine, tt-cover:not([hidden]) pre")
        return page

    def another_tab(self, page, hash=""):
        """A page of the same browser: it has the same session."""
        other = self.visit(page.context, page.url.split("#")[0] + hash)
        other.wait_for_selector(".tree-row")
        return other

    def source(self, page, name):
        return page.locator(".machine:visible", has_text=name)
