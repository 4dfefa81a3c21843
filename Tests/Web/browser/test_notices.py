"""Notices cover nothing that can be pressed."""

import unittest

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


if __name__ == "__main__":
    unittest.main()
