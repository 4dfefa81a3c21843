"""axe finds nothing, in both themes, in the states of the page that need no daemon."""

from access import COLORS, Checked
from page import PageTest
import recordings


class Access(Checked, PageTest):
    # These tests show every view, so they also load the modules that debugd does not join.
    separate = True

    def look_at_everything(self, scheme, rules=None):
        self.rules = rules
        file = recordings.write(self.path("commute.timeline"), 200)
        # The policy forbids axe's script; everything else is as for users.
        page = self.open_page(scheme=scheme, size=self.low, bypass_csp=True)
        self.check(page, "no daemon")
        page.set_input_files("input[type=file]", file)
        page.wait_for_selector(".tree-row")
        self.go(page, 150)
        self.check(page, "state")
        row = page.locator('.tree-row[data-path="/n"]:visible')
        row.hover()
        row.locator("[data-act=pin]").click()
        row.locator("[data-act=watch]").click()
        for key, panel in ("2", "diff"), ("3", "raw"), ("4", "chart"), ("5", "watch"):
            page.keyboard.press(key)
            page.wait_for_selector(f"#panel-{panel}:not([hidden])")
            self.check(page, panel)
        page.keyboard.press("Control+k")
        self.check(page, "palette")
        page.keyboard.press("Escape")
        page.fill(".filter", "stat.n > 3")
        page.wait_for_selector(".filter-box.wrong")
        self.check(page, "wrong filter")
        page.fill(".filter", "t < 0")
        page.wait_for_selector("tt-events .pane-note:not([hidden])")
        self.check(page, "empty filter")
        for size in (820, 700), (420, 800):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.check(page, f"{size[0]} pixels wide")

    def test_light_theme(self):
        self.look_at_everything("light")

    def test_dark_theme(self):
        self.look_at_everything("dark", COLORS)
