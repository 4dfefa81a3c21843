"""axe finds nothing, in both themes, in every state of time travel."""

from access import COLORS, Checked
from shop import MAIN
from time_travel import TravelTest


class TravelAccess(Checked, TravelTest):
    def close(self, page):
        page.keyboard.press("Escape")
        page.wait_for_selector(".window[open]", state="hidden")

    def look_at_everything(self, scheme, rules=None):
        self.rules = rules
        self.daemon.thinned = {(MAIN, 40)}
        page = self.open_page(scheme=scheme, size=self.low, bypass_csp=True)
        self.go(page, 20)
        self.check(page, "the live app, free")
        page.keyboard.press("a")
        self.check(page, "the menu of an entry")
        page.keyboard.press("Escape")
        page.keyboard.press("e")
        page.wait_for_selector("tt-event-editor:not([hidden])")
        page.click('[aria-label="Add to tags"]')
        self.check(page, "the form")
        page.click("tt-event-editor >> text=JSON")
        page.locator(".editor-json").fill("{")
        page.wait_for_selector(".problems:visible")
        self.check(page, "broken JSON")
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="mine"]')
        self.check(page, "held by this page")
        self.daemon.now(self.daemon.release("The lease was not renewed."))
        page.wait_for_selector('tt-live-strip[data-is="lost"]')
        self.check(page, "control lost")
        page.keyboard.press("x")
        page.wait_for_selector("tt-branch-strip:not([hidden])")
        self.check(page, "a branch")
        self.daemon.slow["branch"] = 30
        page.keyboard.press("x")
        page.wait_for_selector("tt-jobs .job:not([hidden])")
        page.keyboard.press("b")
        page.wait_for_selector(".branch-list li")
        self.check(page, "branches")
        page.locator("[data-tool=trash]").first.click()
        self.check(page, "deleting")
        self.close(page)
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row")
        self.check(page, "comparison")
        self.close(page)
        page.keyboard.press("Shift+E")
        page.wait_for_selector(".preview .token-string")
        self.check(page, "export")
        self.close(page)
        page.keyboard.press("v")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict h3")
        self.check(page, "verify")
        self.close(page)
        page.keyboard.press("Shift+M")
        page.wait_for_selector("tt-prove .window[open]")
        self.check(page, "minimise")
        self.close(page)
        page.click("tt-toolbar .host")
        page.wait_for_selector(".host-list li")
        self.check(page, "hosts")
        self.close(page)
        other = self.open_page(scheme=scheme, size=self.low, bypass_csp=True)
        other.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="other"]')
        self.check(page, "held by another")

    def test_light_theme(self):
        self.look_at_everything("light")

    def test_dark_theme(self):
        self.look_at_everything("dark", COLORS)

    def test_narrow(self):
        page = self.open_page(size=(820, 800), bypass_csp=True)
        self.go(page, 20)
        page.keyboard.press("x")
        page.wait_for_selector("tt-branch-strip:not([hidden])")
        self.check(page, "a branch")
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row")
        self.check(page, "comparison")
