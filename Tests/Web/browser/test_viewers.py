"""Two browsers at one daemon: each shows that the other is looking, and at what."""

import unittest

from access import Checked
from live import DaemonTest, page_daemon
import recordings

TEXT = "document.querySelector('tt-status .daemon').textContent"


class Viewers(Checked, DaemonTest):
    def test_each_shows_the_other(self):
        with page_daemon() as daemon:
            coin, cart = (
                self.import_file(
                    recordings.write(self.path(f"{name}.timeline"), 20, header=recordings.header(number, name)),
                    daemon)
                for number, name in ((1, "coin"), (2, "cart")))
            page = self.open_page(coin, daemon, bypass_csp=True)
            self.until(page, f"{TEXT} === 'daemon connected'")
            other = self.open_page(cart, daemon, bypass_csp=True, size=(390, 780))
            for one in page, other:
                self.until(one, f"{TEXT} === 'daemon connected · 1 other looking'")
            looking = self.open_page(coin, daemon, look=True)
            self.until(page, f"{TEXT} === 'daemon connected · 2 others looking'")
            # A session that only looks learns nothing of others.
            self.assertEqual(looking.evaluate(TEXT), "daemon connected")
            self.check_state(page, "others are looking", within="tt-status")
            self.check_state(other, "others are looking, narrow", within="tt-status")
            self.assertLessEqual(other.evaluate("document.documentElement.scrollWidth"), 390)
            page.click("tt-status .daemon")
            self.has_text(page, "tt-sessions .host-list", "connected, looks at cart", "looks at coin")
            self.check_state(page, "who looks at what")
            page.keyboard.press("Escape")
            other.close()
            self.until(page, f"{TEXT} === 'daemon connected · 1 other looking'")


if __name__ == "__main__":
    unittest.main()
