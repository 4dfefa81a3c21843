"""Values that a row has no room for: an ellipsis shows that they are cut, a title and the menu show them."""

import unittest

from playwright.sync_api import expect

import recordings
from page import PageTest

OLD, NEW = "the central station of Ulm " * 4, "on foot to the harbor " * 4


class WholeValues(PageTest):
    def open_row(self, **options):
        entries = [{"seq": 0, "t": 0, "state": {"way": OLD}, "outputState": {"shown": OLD}},
                   {"seq": 1, "t": 1_000, "event": {"left": {}},
                    "patch": [{"op": "replace", "path": "/way", "value": NEW}],
                    "outputs": [{"op": "replace", "path": "/shown", "value": NEW}]}]
        page = self.open_page(
            recordings.write(self.path("way.timeline"), 0, entries=entries), **options)
        self.wait_for_seq(page, 1)
        return page, self.value(page, "/way")

    def test_titles_have_both_values(self):
        page, row = self.open_row()
        expect(row.locator(".old")).to_have_attribute("title", f'"{OLD}"')
        expect(row.locator(".tree-value")).to_have_attribute("title", f'"{NEW}"')
        output = page.locator('.output-row[data-key="shown"]')
        expect(output.locator(".was")).to_have_attribute("title", f'"{OLD}"')
        expect(output.locator(".is")).to_have_attribute("title", f'"{NEW}"')
        # At an entry that changed nothing, there is no value before.
        self.go(page, 0)
        expect(row.locator(".tree-value")).to_have_attribute("title", f'"{OLD}"')
        expect(row.locator(".old")).to_be_hidden()

    def test_the_menu_has_both_values(self):
        page, row = self.open_row(size=(390, 844))
        row.click(button="right")
        lines = page.locator(".menu:popover-open .menu-values > div")
        expect(lines).to_have_text([f'was "{OLD}"', f'is "{NEW}"'])
        expect(page.locator(".menu:popover-open [role=menuitem]").last).to_be_in_viewport(ratio=1)

    def test_a_cut_old_value_has_room_for_its_ellipsis(self):
        page, row = self.open_row(size=(390, 844))
        self.drawn(page)
        # A character and the ellipsis after it.
        self.assertTrue(row.locator(".old").evaluate("""(old) => {
          const probe = old.cloneNode();
          probe.textContent = '"…';
          probe.style.cssText = "position: absolute; min-width: 0";
          old.after(probe);
          const { width } = probe.getBoundingClientRect();
          probe.remove();
          return old.clientWidth >= width;
        }"""))


if __name__ == "__main__":
    unittest.main()
