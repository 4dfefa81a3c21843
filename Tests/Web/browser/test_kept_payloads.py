"""A minimization that leaves the events as they were recorded."""

import json
import sys
import unittest

from live import DaemonTest, page_daemon
from page import ROOT

sys.path.insert(0, f"{ROOT}/Tests/Live")
from test_foreign_host import HOST, host, written  # noqa: E402: the path above leads to it


class KeptPayloads(DaemonTest):
    def test_the_window_asks_for_it(self):
        daemon = self.enterContext(page_daemon(options=["--host", str(HOST)]))
        path = self.path("vending.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.write(written(host.SESSION))
        page = self.open_page(self.import_file(path, daemon), daemon)
        sent = []
        page.on("websocket", lambda socket: socket.on(
            "framesent", lambda frame: sent.append(frame)))
        page.reload()
        self.loaded(page)
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')")
        page.keyboard.press("Shift+M")
        page.keyboard.type("state.tea < 0")
        page.get_by_label("Keep the payloads as they were recorded").check()
        page.get_by_role("button", name="Minimize", exact=True).locator("visible=true").last.click()
        self.until(page, "() => /reproduce/.test(document.querySelector('.verdict').textContent)")
        asked = [message for message in map(json.loads, filter(self.is_text, sent))
                 if message["type"] == "minimise"]
        self.assertEqual([message.get("keepPayloads") for message in asked], [True])

    @staticmethod
    def is_text(frame):
        return isinstance(frame, str) and frame.startswith("{")


if __name__ == "__main__":
    unittest.main()
