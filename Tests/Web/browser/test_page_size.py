"""How much the page transfers: what the documents say of it stays true."""

import os
import re
import unittest

from live import DaemonTest
from page import ROOT

# The page may grow by so much before the number in the documents has to be measured again.
TOLERANCE = 0.1


class PageSize(DaemonTest):
    def test_the_documents_say_how_much_the_page_transfers(self):
        with open(os.path.join(ROOT, "docs", "performance.md"), encoding="utf-8") as file:
            found = re.search(r"`inspector\.bytes` \| ([\d,]+) KB", file.read())
        documented = int(found[1].replace(",", "")) * 1_000
        context = self.new_context()
        page = context.new_page()
        # As the benchmark counts: all responses with their headers.
        received = []
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        page.goto(self.daemon.address)
        self.until(page, "document.querySelector('tt-cover:not([hidden]) h2') !== null")
        self.assertGreater(len(received), 2)
        self.assertAlmostEqual(
            sum(received), documented, delta=TOLERANCE * documented,
            msg=f"the page transfers {sum(received):,} bytes; write that into docs/performance.md")


if __name__ == "__main__":
    unittest.main()
