"""The page served by a daemon, with recordings from files and from running apps."""

import os
import pathlib
import re

from page import BrowserTest, ROOT

from daemon import Daemon
from probe import Probe  # noqa: F401: for the tests


def page_daemon(**options):
    """A daemon that serves the page of this repository."""
    return Daemon(environment={"DEBUGD_WEB": os.path.join(ROOT, "web")}, **options)


def recorders_of(daemon):
    """Where an app records to."""
    return f"unix:{daemon.socket}"


def link_of(daemon, look=False):
    """The address that `debugd open` opens, with a one-time code."""
    words = ["open", "--print", *(["--look"] if look else [])]
    page = pathlib.Path(daemon.run(*words).stdout.strip())
    return re.search(r'url=([^"]+)"', page.read_text()).group(1)


class DaemonTest(BrowserTest):
    """One daemon and one browser for the tests of a class; each test has its own session."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.daemon = cls.enterClassContext(page_daemon())

    @classmethod
    def in_folder(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def import_file(cls, path, daemon=None):
        """Imports a file; returns the id of its timeline."""
        return (daemon or cls.daemon).run("import", path).stdout.split()[0]

    def open_page(self, timeline=None, daemon=None, look=False, hash="", **options):
        """A new page, signed in, and at a timeline if one is given."""
        context = self.new_context(**options)
        place = (f"&timeline={timeline}" if timeline else "") + hash
        page = self.visit(context, link_of(daemon or self.daemon, look) + place)
        page.wait_for_selector(".tree-row" if timeline else ".machine, tt-cover:not([hidden]) pre")
        return page

    def another_tab(self, page, hash=""):
        """A page of the same browser: it has the same session."""
        other = self.visit(page.context, page.url.split("#")[0] + hash)
        self.until(other, "document.title.includes(' @ ')")
        return other

    def source(self, page, name):
        return page.locator(".machine:visible", has_text=name)
