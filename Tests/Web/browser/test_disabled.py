"""What cannot be done looks so, in both themes, and says why."""

import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings

# The disabled controls in view, with what a reader sees of them.
DISABLED = """[...document.querySelectorAll(":disabled")]
  .filter((one) => one.checkVisibility() && one.localName !== "option")
  .map((one) => ({
    name: one.getAttribute("aria-label") ?? one.textContent ?? one.name,
    why: one.title,
    opacity: +getComputedStyle(one.closest(".choice") ?? one).opacity,
    cursor: getComputedStyle(one).cursor,
  }))"""

ENABLED = """[...document.querySelectorAll("button:enabled:not([aria-disabled])")]
  .filter((one) => one.checkVisibility())
  .map((one) => +getComputedStyle(one).opacity)"""


class Disabled(PageTest):
    def check(self, page, *names):
        """Checks all disabled controls in view, among them those with these names."""
        self.drawn(page)
        found = page.evaluate(DISABLED)
        for name in names:
            self.assertTrue(any(name in one["name"] for one in found), (name, found))
        for one in found:
            with self.subTest(one["name"]):
                self.assertLessEqual(one["opacity"], 0.5)
                self.assertNotEqual(one["cursor"], "pointer")
                self.assertRegex(one["why"], r"^[A-Z].*(\.|debugd [a-z]+( .*)?)$")
        self.assertEqual(set(page.evaluate(ENABLED)), {1})

    def test_in_both_themes_of_a_file(self):
        path = recordings.write(self.path("a file.timeline"), 60)
        for scheme in "light", "dark":
            page = self.open_page(path, scheme)
            self.check(page, "Edit", "Skip", "Insert", "Minimize")
            page.keyboard.press("Shift+E")
            page.wait_for_selector("tt-export dialog[open]")
            self.check(page, "")
            page.keyboard.press("Escape")

    def test_a_menu(self):
        page = self.open_page(recordings.write(self.path("a menu.timeline"), 60))
        page.locator(".grid").focus()
        page.keyboard.press("a")
        page.wait_for_selector(".menu:popover-open")
        looks = page.evaluate("""[...document.querySelectorAll(".menu:popover-open button")]
          .map((one) => [one.ariaDisabled === "true", +getComputedStyle(one).opacity])""")
        self.assertIn([True, 0.5], looks)
        self.assertEqual({tuple(one) for one in looks}, {(True, 0.5), (False, 1)})

    def test_a_control_that_can_be_used_again_has_its_own_title_again(self):
        page = self.open_page()
        first = page.locator(".bar .first")
        expect(first).to_have_attribute("title", "There are no entries yet.")
        page.set_input_files(
            "input[type=file]", recordings.write(self.path("entries.timeline"), 60))
        expect(first).to_be_enabled()
        expect(first).to_have_attribute("title", "First entry (Home)")


if __name__ == "__main__":
    unittest.main()
