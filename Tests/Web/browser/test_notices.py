"""Notices cover nothing that can be pressed, and belong to what they are about."""

import unittest

from playwright.sync_api import expect

from refusal import Refusal
from time_travel import TravelTest

COVERED = """() => {
  const notices = [...document.querySelectorAll(".notice")].map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll("button, input, select, [role=tab]")]
    .filter((one) => !one.closest("tt-notices") && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return right > left && notices.some((notice) => left < notice.right && right > notice.left &&
        top < notice.bottom && bottom > notice.top);
    })
    .map((one) => one.ariaLabel || one.textContent);
}"""


class Notices(TravelTest):
    def test_they_cover_no_button(self):
        for size, tab in (((1440, 860), "state"), ((1024, 700), "state"), ((820, 860), "event"),
                          ((390, 844), "event"), ((390, 844), "state")):
            with self.subTest(size=size, tab=tab):
                page = self.open_page(size=size)
                self.go(page, 20)
                self.act(page, "/total", "pin")
                page.wait_for_selector("tt-pin:visible")
                page.click(f"#tab-{tab}")
                # A warning stays.
                page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
                page.keyboard.press("Shift+C")
                page.wait_for_selector(".notice.warning:has-text('Copy the link from the address bar.')")
                self.leave(page)
                self.still(page)
                self.assertEqual(page.evaluate(COVERED), [])

    def test_they_go_with_their_timeline(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        self.daemon.refuse["fork"] = Refusal("wrong-value", "It was lost.", at=0)
        self.go(page, 30)
        page.keyboard.press("x")
        expect(page.locator(".notice.error")).to_have_text("It was lost.")
        page.keyboard.press("r")
        self.shows_branch(page, "Without 20", at=20)
        expect(page.locator(".notice")).to_have_count(0)

    def test_one_about_another_timeline_names_it(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        self.daemon.slow["fork"] = 600
        self.daemon.refuse["fork"] = Refusal("wrong-value", "It was lost.", at=0)
        self.go(page, 30)
        page.keyboard.press("x")
        page.wait_for_selector("tt-jobs .job:not([hidden])")
        page.keyboard.press("r")
        self.shows_branch(page, "Without 20", at=20)
        self.daemon.slow["fork"] = 0
        expect(page.locator(".notice.error")).to_have_text("cart: It was lost.")


if __name__ == "__main__":
    unittest.main()
