"""The page of `debugd view` after that has ended."""

import os
import pathlib
import re
import signal
import subprocess
import unittest

from playwright.sync_api import expect

from page import BrowserTest, ROOT
import recordings

from daemon import BUILD


class ViewEnded(BrowserTest):
    def view(self, file):
        """Starts `debugd view`; the address of its page."""
        # Short names, because the path of a socket is limited.
        folders = {"HOME": self.path("h"), "TMPDIR": self.path("t"), "XDG_RUNTIME_DIR": self.path("r")}
        for folder in folders.values():
            os.makedirs(folder, 0o700, exist_ok=True)
        self.viewer = subprocess.Popen(
            [BUILD / "debugd", "view", file, "--print"], text=True, stdout=subprocess.PIPE,
            env=os.environ | folders | {"DEBUGD_WEB": os.path.join(ROOT, "web")})
        self.addCleanup(self.viewer.stdout.close)
        self.addCleanup(self.viewer.wait)
        self.addCleanup(self.viewer.kill)
        line = self.viewer.stdout.readline()
        page = pathlib.Path(re.search(r": (/.*)\n", line).group(1))
        return re.search(r'url=([^"]+)"', page.read_text()).group(1)

    def test_says_so_once_and_offers_nothing_that_fails(self):
        page = self.visit(self.new_context(), self.view(
            recordings.write(self.path("commute.timeline"), 30)))
        self.wait_for_seq(page, 29)
        # The entry to look at later is loaded.
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 28)
        page.keyboard.press("ArrowRight")
        self.wait_for_seq(page, 29)
        self.has_text(page, "tt-status .daemon", "daemon connected")
        self.viewer.send_signal(signal.SIGINT)
        self.assertEqual(self.viewer.wait(60), 0)
        self.has_text(page, "tt-status .daemon", "debugd view has ended")
        expect(page.locator("tt-status button:visible")).to_have_text(["debugd view has ended"])
        expect(page.locator(".notice")).to_have_text([
            "debugd view has ended. You can still use what is loaded. "
            "To continue, run again: debugd view FILE"])
        reason = "debugd view has ended. To continue, run again: debugd view FILE"
        export = page.locator("tt-event button", has_text="Export…")
        for disabled in export, page.locator("tt-status .daemon"):
            expect(disabled).to_be_disabled()
            expect(disabled).to_have_attribute("title", reason)
        page.keyboard.press("Shift+E")
        expect(page.locator(".notice.info")).to_have_text([reason])
        expect(page.locator("dialog[open]")).to_have_count(0)
        # What is loaded can still be looked at.
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 28)


if __name__ == "__main__":
    unittest.main()
