"""Viewing a daemon's timelines, recorded by a real app or imported, with keyboard and pointer."""

import json
import pathlib
import re
import unittest

from playwright.sync_api import expect

from live import DaemonTest, Probe, page_daemon, recorders_of
import recordings


class LivePage(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.favorites = cls.import_file(
            recordings.write(cls.in_folder("favorites.timeline"), 300))
        cls.other = cls.import_file(recordings.write(
            cls.in_folder("other.timeline"), 120, header=recordings.header(1, "other")))
        cls.counter = cls.import_file(recordings.write(
            cls.in_folder("thin.timeline"), 60, header=recordings.header(2, "counter"),
            entries=recordings.thinned(60, 20, 29)))
        cls.truth = cls.in_folder("truth")
        with Probe("truth", cls.truth, 1, 400, 100, 60, debugd=recorders_of(cls.daemon)) as probe:
            probe.line("stored true")
        listed = map(json.loads, cls.daemon.run("list", "--json").stdout.splitlines())
        cls.recorded = {one["header"]["machine"]["name"]: one["header"]["timeline"]
                        for one in listed}

    def test_lists_searches_and_opens(self):
        page = self.open_page()
        expect(page.locator(".app:visible .app-name")).to_have_text(["truth", "Commute"])
        for name in "basket 2", "favorites":
            expect(page.locator(".machine:visible .machine-name",
                                has_text=re.compile(f"^{name}$"))).to_have_count(1)
        page.fill(".source-search", "bask")
        self.until(page, "document.querySelectorAll('.machine:not([hidden])').length === 2")
        self.source(page, "basket 2").click()
        self.until(page, "document.title.startsWith('truth › basket 2 @')")
        page.fill(".source-search", "")
        self.until(page, "document.querySelectorAll('.machine:not([hidden])').length > 2")
        # The same with keys: up and down in the list, Enter opens.
        page.locator(".source-list").focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        self.until(page, "document.title.startsWith('truth › basket @')")
        page.keyboard.press("Home")
        before = page.locator(".machine:not([hidden])").count()
        page.keyboard.press("ArrowLeft")
        # How many others there are depends on what the tests before this one imported.
        self.until(page, "before => document.querySelectorAll('.machine:not([hidden])').length"
                         " < before", before)
        page.fill(".source-search", "no machine has this name")
        self.until(page, "document.querySelector('tt-sources .pane-note').textContent"
                         ".includes('No matches')")

    def test_shows_the_values_that_the_app_reports(self):
        moments = [json.loads(line) for line in pathlib.Path(self.truth).read_text().split("\n")
                   if line]
        states = [one["state"] for one in moments if one["machine"] == "basket"]
        page = self.open_page(self.recorded["basket"])
        for seq in 7, len(states) - 1:
            self.go(page, seq)
            expect(self.value(page, "/total").locator(".tree-value")).to_have_text(
                str(states[seq]["total"]))
            expect(page.locator(".output-row", has_text="count").locator(".is")).to_have_text(
                str(len(states[seq]["items"])))

    def test_shows_outputs_with_their_previous_values(self):
        page = self.open_page(self.favorites)
        self.go(page, 87)
        row = page.locator(".output-row[data-changed]", has_text="isLoading")
        expect(row).to_have_text(re.compile("isLoading(true|false) ?→ ?(true|false)"))

    def test_draws_the_chart_and_what_was_observed(self):
        page = self.open_page(self.recorded["chart"])
        page.keyboard.press("4")
        page.wait_for_selector(".state-box.on")
        expect(page.locator(".state-name")).to_have_text(["root", "closed", "open"])
        page.click(".bar .first")
        self.until(page, "document.querySelector('tt-chart').textContent.includes('after 0')")
        self.source(page, "favorites").click()
        page.wait_for_selector(".observed-row")
        expect(page.locator(".observed-name", has_text=re.compile("^loaded$"))).to_have_count(1)
        # With a pinned value: its values, and the transitions between them.
        values = page.locator("tt-chart .values .observed-row")
        expect(values).to_have_count(0)
        page.click("#tab-state")
        page.click('.tree-row[data-path="/favorites/0"] .twist')
        self.act(page, "/favorites/0/on", "pin")
        page.click("#tab-chart")
        self.has_text(page, "tt-chart .tree-title >> nth=1", "favorites", "changes from 0 to ")
        expect(page.locator("tt-chart .values .observed-name")).to_have_text(["true", "false"])
        expect(values.first).to_contain_text("→ false")

    def test_compares_marks_stretches_and_other_timelines(self):
        page = self.open_page(self.favorites)
        self.go(page, 100)
        page.keyboard.press("m")
        self.source(page, "other").click()
        self.wait_for_seq(page, 156)
        page.click("#tab-diff")
        page.wait_for_selector(".diff-line")
        self.has_text(page, "#panel-diff", "from the mark at 100 to 156", "state.n")
        page.keyboard.press("1")
        self.source(page, "favorites").click()
        self.wait_for_seq(page, 336)
        # Remove the mark, and compare the ends of a range: with keys, then with the pointer.
        self.go(page, 100)
        page.keyboard.press("m")
        self.until(page, "!document.querySelector('.row.on .mark:not(.off)')")
        page.locator(".grid").focus()
        for _ in range(8):
            page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("c")
        self.until(page, "/from 100 to 108/.test(document.querySelector('tt-diff').textContent)")
        page.locator('.row[data-seq="110"]').click()
        page.locator('.row[data-seq="112"]').click(modifiers=["Shift"])
        self.until(page, "/from 110 to 112/.test(document.querySelector('tt-diff').textContent)")

    def test_says_who_set_a_value_and_leads_along_its_changes(self):
        page = self.open_page(self.favorites)
        self.go(page, 121)
        self.act(page, "/n", "who")
        self.wait_for_seq(page, 120)
        self.act(page, "/n", "pin")
        page.wait_for_selector("tt-pin:not([hidden])")
        self.until(page, "/changed (at least )?\\d/.test(document.querySelector('tt-pin').textContent)")
        seq = self.cursor(page)
        page.keyboard.press("p")
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow < seq", seq)
        page.locator("tt-pin button", has_text="next").click()
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow == seq", seq)
        page.keyboard.press("n")
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow > seq", seq)

    def test_a_search_in_the_state_says_what_it_did_not_search(self):
        pages = [{"by": f"{name} {page}", "text": "x" * 2_000}
                 for name in ("Ann", "Zoe") for page in range(50)]
        page = self.open_page(self.import_file(recordings.write(
            self.path("pages.timeline"), 0, header=recordings.header("f", "pages"),
            entries=[{"seq": 0, "t": 0, "state": {"n": 0, "pages": pages}}])))
        page.keyboard.press("Shift+F")
        note = page.locator("tt-state-tree [role=status]")
        page.keyboard.type("ann 3")
        expect(note).to_be_visible()
        expect(note).to_contain_text("not loaded and w")
        self.assertNotIn("No matches", note.text_content())
        page.locator("tt-details .search-line input").fill("zzz")
        expect(note).to_contain_text("No matches. ")
        expect(note).to_contain_text("not loaded and w")
        page.locator("tt-details .search-line input").fill("")
        expect(note).to_be_hidden()

    def test_watches_values_in_columns(self):
        page = self.open_page(self.favorites)
        self.go(page, 120)
        self.act(page, "/n", "watch")
        self.act(page, "/big", "watch")
        page.click("#tab-watch")
        page.wait_for_selector(".watch-table tr.on td")
        self.until(page, "document.querySelector('.watch-table tr.on').textContent"
                         ".includes('9007199254740993')")
        expect(page.locator(".watch-table thead th")).to_have_count(4)
        page.locator("[aria-label='Stop watching big']").click()
        self.until(page, "document.querySelectorAll('.watch-table thead th').length === 3")

    def test_filters_steps_along_matches_and_shows_what_is_unknown(self):
        page = self.open_page(self.favorites)
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Enter")
        self.until(page, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        page.keyboard.press("Home")
        self.until(page, "document.querySelector('.slider').ariaValueNow === '0'")
        page.keyboard.press(".")
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 0")
        first = self.cursor(page)
        self.until(page, "document.querySelector('.row.on.error')")
        page.keyboard.press(".")
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow > seq", first)
        page.keyboard.press(",")
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow == seq", first)
        # The state is that of the entry, not that of the previous match plus this entry's patch.
        page.fill(".filter", "changed(state.favorites)")
        page.keyboard.press("Enter")
        self.until(page, "/^9\\d of/.test(document.querySelector('.count').textContent)")
        page.keyboard.press("End")
        self.wait_for_seq(page, 336)
        seq = 336
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
            self.until(page, "seq => document.querySelector('.slider').ariaValueNow < seq", seq)
            seq = self.cursor(page)
            self.wait_for_seq(page, seq)
        answer = json.loads(self.daemon.run("state", self.favorites, seq, "--json").stdout)
        expect(self.value(page, "/n").locator(".tree-value")).to_have_text(str(answer["state"]["n"]))
        self.source(page, "counter").click()
        self.wait_for_seq(page, 59)
        page.fill(".filter", "state.n >= 25")
        self.until(page, "document.querySelector('.count').textContent"
                         " === '30 of 60, 10 unknown'")

    def test_says_what_is_thinned_lost_and_wrong(self):
        page = self.open_page(self.counter)
        page.keyboard.press("g")
        page.keyboard.type("25")
        page.keyboard.press("Enter")
        self.has_text(page, ".moment-note:visible", "was not captured")
        # If it is unknown, the difference does not claim that nothing changed.
        page.click("#tab-diff")
        self.has_text(page, "tt-diff .tree-title", "what 25 changed")
        expect(page.locator("tt-diff .pane-note")).to_be_hidden()
        page.get_by_label("First entry").click()
        self.has_text(page, "tt-diff .pane-note", "This is the first entry")
        page.click("#tab-state")
        self.go(page, 30)
        page.click("#tab-diff")
        self.has_text(page, "tt-diff .pane-note", "What 30 changed is not known", "go to 29")
        page.click("#tab-state")
        self.act(page, "/n", "watch")
        page.click("#tab-watch")
        unknown = page.locator(".watch-table tr:has-text('ticked') td.unknown")
        expect(unknown).to_have_count(10)
        expect(unknown.first).to_have_text("—not captured")
        expect(page.locator(".watch-table tr.on td").last).to_have_class("changed")
        page.click("#tab-state")
        self.act(page, "/n", "who")
        self.wait_for_seq(page, 19)
        self.has_text(page, ".notice.warning", "may also have been set in the entries 20 to 30")
        self.source(page, "favorites").click()
        self.go(page, 77)
        self.has_text(page, ".row.gap:visible", "37 events could not be kept")
        self.has_text(page, "tt-status", "37 lost")
        self.go(page, 88)
        self.until(page, "document.querySelector('.row.error:not([hidden])')")

    def test_plays_at_different_speeds(self):
        page = self.open_page(self.favorites)
        self.go(page, 100)
        paces = page.locator(".pace option").count()
        self.assertGreater(paces, 2)
        # Slow enough not to reach the end by itself, however busy the machine is.
        page.select_option(".pace", label="10 entries per second")
        page.click(".bar .play")
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 105")
        page.click(".bar .play")
        page.wait_for_selector('.play[aria-label="Play"]')
        page.locator(".grid").focus()
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Pause"]')
        # Moving the cursor takes over.
        page.keyboard.press("Home")
        page.wait_for_selector('.play[aria-label="Play"]')

    def test_links_to_any_moment_and_goes_back(self):
        page = self.open_page(self.favorites)
        self.go(page, 86)
        self.act(page, "/n", "pin")
        page.keyboard.press("2")
        link = self.hash_of(page, "seq=86", "pin=/state/n", "tab=diff")
        self.go(page, 200)
        page.go_back()
        self.wait_for_seq(page, 86)
        other = self.another_tab(page, link)
        other.wait_for_selector("tt-pin:not([hidden])")
        self.until(other, "document.title.endsWith('@ 86')")
        expect(other.locator("#tab-diff")).to_have_attribute("aria-selected", "true")
        # Another timeline is a step, too.
        self.source(other, "counter").click()
        self.until(other, "document.title.includes('counter')")
        other.go_back()
        self.until(other, "document.title.endsWith('favorites @ 86')")

    def test_finds_commands_keys_and_themes(self):
        page = self.open_page(self.favorites)
        page.keyboard.press("?")
        self.has_text(page, ".palette-list", "Next entry")
        page.keyboard.press("Escape")
        page.click(".icon-button.theme")
        page.wait_for_selector(':root[data-theme="dark"]')
        page.reload()
        page.wait_for_selector(':root[data-theme="dark"]')
        page.wait_for_selector(".tree-row")
        page.keyboard.press("t")
        page.wait_for_selector(':root[data-theme="light"]')
        self.command(page, "single-letter keys")
        page.wait_for_selector(".notice:has-text('Single-letter keys are off')")
        page.keyboard.press("t")
        self.press_command(page, "First entry")
        self.wait_for_seq(page, 0)
        self.assertEqual(page.locator(':root[data-theme="light"]').count(), 1)

    def test_shows_recorded_text_as_text(self):
        page = self.open_page(self.favorites)
        self.go(page, 31)
        self.shows_as_text(page)

    def test_keeps_integers_beyond_2_53(self):
        page = self.open_page(self.favorites)
        expect(self.value(page, "/big").locator(".tree-value")).to_have_text("9007199254740993")

    def test_exports_what_can_be_imported_again(self):
        page = self.open_page(self.favorites)
        whole = self.download(page, "whole.timeline")
        self.go(page, 150)
        page.locator(".grid").focus()
        for _ in range(5):
            page.keyboard.press("Shift+ArrowDown")
        stretch = self.download(page, "stretch.timeline")
        with page_daemon() as daemon:
            again = self.import_file(whole, daemon)
            self.assertEqual(
                daemon.run("state", again, 336, "--json").stdout,
                self.daemon.run("state", self.favorites, 336, "--json").stdout)
            daemon.run("delete", again, "--yes")
            again = self.import_file(stretch, daemon)
            shown = daemon.json("show", again)
            self.assertEqual((shown["first"], shown["last"]), (150, 155))


if __name__ == "__main__":
    unittest.main()
