"""The call site of the entry: its lines, and the link to the editor."""

from playwright.sync_api import expect
from refusal import Refusal
from shop import MAIN
from time_travel import TravelTest

LINES = ["  func remove() {", "\tsend(\"<img src=x onerror=alert(1)>\u202e\")", "  }"]


class CallSites(TravelTest):
    def opened(self, **found):
        async def do_source(_, message):
            if isinstance(found.get("refusal"), Refusal):
                raise found["refusal"]
            return {"type": "source", "at": "Shop.swift:12", "file": "/src/a #/Shop.swift",
                    "line": 12, "first": 11, "lines": LINES, **found}
        self.daemon.do_source = do_source
        page = self.open_page()
        self.go(page, 12)
        return page

    def test_its_lines_are_shown_when_wanted_with_a_link_to_the_editor(self):
        page = self.opened(editor="vscode://file{file}:{line}")
        self.assertEqual(self.daemon.of("source"), [])
        site = page.get_by_role("button", name="Shop.swift:12")
        site.click()
        expect(page.locator(".source-line.on")).to_contain_text("12")
        self.assertEqual(self.daemon.of("source")[-1]["seq"], 12)
        # Nothing in the file is markup, or changes the direction of the text.
        expect(page.locator(".source-lines")).to_contain_text("<img src=x onerror=alert(1)>\\u{202e}")
        link = page.get_by_role("link", name="Open in the editor")
        self.assertEqual(link.get_attribute("href"), "vscode://file/src/a%20%23/Shop.swift:12")
        expect(site).to_have_attribute("aria-expanded", "true")
        site.click()
        expect(page.locator(".source-lines")).to_have_count(0)
        expect(site).to_have_attribute("aria-expanded", "false")

    def test_the_lines_go_with_the_entry(self):
        page = self.opened()
        page.get_by_role("button", name="Shop.swift:12").click()
        expect(page.locator(".source-lines")).to_be_visible()
        # Without an editor, the path says where it is.
        expect(page.locator(".call-site .note")).to_have_text("/src/a #/Shop.swift")
        page.keyboard.press("ArrowRight")
        page.get_by_role("button", name="Shop.swift:13").wait_for()
        expect(page.locator(".source-lines")).to_have_count(0)

    def test_an_event_that_the_inspector_sent_has_no_call_site(self):
        self.daemon.timelines[MAIN].lines[13]["at"] = "inspector:0"
        page = self.opened()
        facts = page.locator("tt-event .facts")
        expect(facts).to_contain_text("Shop.swift:12")
        page.keyboard.press("ArrowRight")
        self.wait_for_seq(page, 13)
        expect(facts).to_contain_text("from")
        expect(facts).not_to_contain_text("Shop.swift")
        self.assertNotIn("inspector:", facts.text_content())
        page.keyboard.press("ArrowRight")
        expect(facts).to_contain_text("Shop.swift:14")

    def test_no_address_that_the_browser_would_run_becomes_a_link(self):
        page = self.opened(editor="javascript://%0aalert(1)//{file}")
        page.get_by_role("button", name="Shop.swift:12").click()
        expect(page.locator(".source-lines")).to_be_visible()
        expect(page.locator(".call-site a")).to_have_count(0)

    def test_a_refusal_says_what_to_do(self):
        words = "'Shop.swift' was not found in the source folders. To fix, name the folder."
        page = self.opened(refusal=Refusal("not-found", words))
        page.get_by_role("button", name="Shop.swift:12").click()
        expect(page.locator(".call-site .note")).to_have_text(words)

    def test_without_a_folder_the_page_has_the_commands(self):
        words = ("No source folder is named. To see the lines, add --source FOLDER to the command that "
                 "you ran: serve, view, or source.")
        page = self.opened(refusal=Refusal("not-found", words))
        page.get_by_role("button", name="Shop.swift:12").click()
        expect(page.locator(".call-site .note")).to_have_text([
            "To see the lines here, restart the daemon with its options in the folder of Shop’s sources:",
            "To see them in a terminal now, run in that folder:"])
        expect(page.locator(".call-site pre")).to_have_text([
            "debugd serve --source .", f"debugd source {MAIN} 12 --source ."])
        # The pane may be too low for all of it.
        expect(page.locator(".call-site pre").last).to_be_in_viewport(ratio=1)
