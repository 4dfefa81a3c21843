"""Keys that come before the page has drawn what the key before them did."""

import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings

# Presses keys in one task: the page draws nothing between them.
PRESS = """keys => {
  for (const key of keys) {
    document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}"""


class QuickKeys(PageTest):
    def setUp(self):
        self.file = recordings.write(self.path("commute.timeline"), 300)

    def test_the_tree_moves_through_what_the_key_before_folded(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        page.locator(".tree").focus()
        active = page.locator(".tree-row.active")
        page.keyboard.press("ArrowDown")
        expect(active).to_have_attribute("data-path", "/favorites")
        page.evaluate(PRESS, ["ArrowLeft", "ArrowDown"])
        expect(active).to_have_attribute("data-path", "/n")

    def test_a_window_opens_with_only_what_it_offers(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        hidden = page.evaluate(f"""() => {{
          ({PRESS})(["v"]);
          return !document.querySelector("tt-prove .check").checkVisibility();
        }}""")
        self.assertTrue(hidden)

    def test_a_key_after_escape_in_a_menu_is_for_the_page(self):
        # In a narrow window, the list that gets the focus from the menu is hidden until the next frame.
        page = self.open_page(self.file, size=(420, 800))
        self.wait_for_seq(page, 336)
        page.keyboard.press("a")
        page.wait_for_selector(".menu:popover-open")
        page.evaluate(PRESS, ["Escape", "2"])
        page.wait_for_selector("#panel-diff:visible")

    def test_the_tree_has_its_focus_again_when_the_state_is_there(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        page.locator(".tree").focus()
        page.evaluate("""async () => {
          const tree = document.querySelector("tt-state-tree");
          const { moment } = tree.context.inspector;
          const { shown } = moment;
          const frame = () => new Promise((done) => requestAnimationFrame(() =>
            requestAnimationFrame(done)));
          moment.shown = undefined;
          tree.invalidate();
          await frame();
          moment.shown = shown;
          tree.invalidate();
          await frame();
        }""")
        self.assertTrue(page.evaluate("document.activeElement.matches('.tree')"))

    def test_home_and_end_travel_after_a_click_on_a_machine(self):
        page = self.open_page(self.file)
        page.locator(".machine").first.click()
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        page.keyboard.press("End")
        self.wait_for_seq(page, 336)
        # With an arrow key, the reader moves through the list, and these keys do, too.
        page.keyboard.press("ArrowUp")
        page.keyboard.press("End")
        self.drawn(page)
        expect(page.locator(".source.active")).to_have_class("source machine on active")
        page.keyboard.press("Home")
        expect(page.locator(".source.active")).to_contain_text("Commute")
        self.wait_for_seq(page, 336)


if __name__ == "__main__":
    unittest.main()
