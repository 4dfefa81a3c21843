"""Changing the past: every action with mouse and keyboard, with a daemon under the test's control."""

import copy
import datetime
import re
import unittest

from playwright.sync_api import expect

from refusal import Refusal
from shop import MAIN
from time_travel import TravelTest


# The shown timeline, from the address.
TIMELINE = "new URLSearchParams(location.hash.slice(1)).get('timeline')"


class Past(TravelTest):
    def test_skips_by_key_and_undoes_and_redoes(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        self.assertEqual(self.scripts(), [[{"drop": 20}]])
        # The event of the entry is named, as a branch of this branch would say "without 20", too.
        expect(page.locator(".strip-what b")).to_have_text(re.compile(r"^Without [a-z]+ 20$"))
        expect(page.locator(".strip-effects")).to_have_text("Effects do not run again.")
        self.assertIn("To skip them, too, select them with it, or press Shift+X where causes are "
                      "recorded.", page.locator(".strip-effects").get_attribute("title"))
        self.has_text(page, "tt-event", "originallyentry 21")
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        page.keyboard.press("r")
        self.shows_branch(page, "Without 20", at=20)
        self.assertEqual(len(self.scripts()), 1)

    def test_skips_a_selected_range_by_mouse(self):
        page = self.open_page()
        self.go(page, 12)
        self.row(page, 15).click(modifiers=["Shift"])
        self.row(page, 14).click(button="right")
        self.has_text(page, "tt-entry-menu .menu", "Entries 12 to 15")
        page.locator(".menu button", has_text="Skip this entry").click()
        self.shows_branch(page, "Without 12 to 15", at=12)
        self.assertEqual(self.scripts(), [[{"drop": [12, 15]}]])

    def test_names_the_effect_of_a_skipped_event_that_stays(self):
        page = self.open_page()
        self.go(page, 9)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 9", at=9)
        expect(page.locator(".strip-effects")).to_have_text(
            "Effects do not run again. Entry 10, which 9 caused, stays. To skip it, too, choose Undo "
            "and press Shift+X.")
        page.locator(".strip-acts button", has_text="Undo").click()
        self.shows_main(page, at=9)
        page.keyboard.press("Shift+X")
        self.shows_branch(page, "Without 9 to 10", at=9)
        expect(page.locator(".strip-effects")).to_have_text("Effects do not run again.")

    def test_skips_an_event_with_its_effects(self):
        page = self.open_page()
        self.go(page, 9)
        page.keyboard.press("Shift+X")
        self.shows_branch(page, "Without 9 to 10", at=9)

    def test_acts_on_a_row_under_the_pointer(self):
        page = self.open_page()
        self.go(page, 20)
        for title, script in (
                ("Skip this entry", [{"drop": 18}]),
                ("Drop everything after", [{"cut": 18}]),
                ("Repeat this event", [{"insert": self.daemon.timelines[MAIN].lines[18]["event"],
                                        "before": 19}])):
            self.row(page, 18).hover()
            self.row(page, 18).locator("[data-act=entry-menu]").click()
            self.has_text(page, "tt-entry-menu .menu", "Entry 18")
            page.locator(".menu button", has_text=title).click()
            self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
            self.assertEqual(self.scripts()[-1], script)
            page.keyboard.press("u")
            self.until(page, "() => document.querySelector('tt-branch-strip').hidden")

    def test_a_click_anywhere_in_a_row_changes_nothing(self):
        page = self.open_page()
        self.go(page, 20)
        box = self.row(page, 18).bounding_box()
        for at, part in enumerate((0.05, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)):
            seq = 18 + at % 2
            self.row(page, seq).click(position={"x": part * box["width"], "y": 13})
            self.wait_for_seq(page, seq)
        self.assertEqual(self.scripts(), [])
        self.assertEqual(page.locator("tt-entry-menu .menu:popover-open").count(), 0)

    def test_marks_events_that_changed_nothing(self):
        lines = self.daemon.timelines[MAIN].lines
        # A refused event.
        lines[20] = lines[20] | {"patch": []}
        lines[20].pop("outputs", None)
        page = self.open_page()
        self.go(page, 20)
        chips = self.row(page, 20).locator(".chips")
        expect(chips).to_have_text("no change")
        expect(self.row(page, 19).locator(".chips")).not_to_have_text("no change")
        # The words are seen at the cursor; elsewhere there is a sign, and the words are for screen readers.
        sign = "(chips) => getComputedStyle(chips, '::before').content"
        self.assertEqual(chips.evaluate(sign), "none")
        self.assertGreater(chips.bounding_box()["width"], 40)
        page.keyboard.press("ArrowRight")
        self.wait_for_seq(page, 21)
        expect(chips).to_have_text("no change")
        self.assertEqual(chips.evaluate(sign), '"="')
        self.assertLess(chips.bounding_box()["width"], 16)

    def test_a_new_branch_comes_into_view_in_a_long_list(self):
        self.daemon.timelines[MAIN].extra.pop("live", None)
        for number in range(60):
            other = copy.deepcopy(self.daemon.timelines[MAIN])
            name = f"00000000-0000-4000-8000-{number:012}"
            other.header |= {"timeline": name, "started": "2020-05-01T08:00:00Z"}
            other.header["machine"] |= {"name": f"machine {chr(97 + number % 26)}{number} cart"}
            self.daemon.timelines[name] = other
        now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=11)
        other = copy.deepcopy(self.daemon.timelines[MAIN])
        other.header |= {"timeline": "00000000-0000-4000-8000-0000000000ff",
                         "app": {"name": "GarageDoorOpener", "pid": 78},
                         "started": now.strftime("%Y-%m-%dT%H:%M:%SZ")}
        self.daemon.timelines[other.header["timeline"]] = other
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        expect(page.locator(".machine.branch.on:visible")).to_be_in_viewport(ratio=1)
        name = page.locator(".app-name:visible", has_text="GarageDoorOpener")
        name.scroll_into_view_if_needed()
        self.assertTrue(name.evaluate("(it) => it.scrollWidth <= it.clientWidth"))

    def test_every_edit_has_a_key(self):
        page = self.open_page()
        event = self.daemon.timelines[MAIN].lines[20]["event"]
        for key, script, at in (
                ("d", [{"insert": event, "before": 21}], 21),
                ("Shift+D", [{"append": event}], 60),
                ("<", [{"move": 20, "before": 19}], 19),
                (">", [{"move": 20, "before": 22}], 21),
                ("Shift+U", [{"cut": 20}], 20),
                ("Shift+S", [{"start": {"seq": 20}}], 0)):
            self.go(page, 20)
            page.keyboard.press(key)
            self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
            self.wait_for_seq(page, at)
            self.assertEqual(self.scripts()[-1], script)
            page.keyboard.press("u")
            self.shows_main(page, at=20)

    def test_sweeps_what_was_skipped_one_after_another(self):
        page = self.open_page()
        for seq in 10, 10, 30:
            self.go(page, seq)
            before = page.evaluate(TIMELINE)
            page.keyboard.press("x")
            self.until(page, f"before => {TIMELINE} !== before", before)
            self.shows_branch(page, f"Without {seq}", at=seq)
        self.command(page, "sweep")
        self.shows_branch(page, "Without 10 to 11 and 32", at=30)
        self.assertEqual(self.daemon.of("fork")[-1]["timeline"], MAIN)

    def test_edits_an_event_in_the_form(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("e")
        self.field(page, "count").fill("7")
        self.field(page, "gift").select_option("true")
        page.click('[aria-label="Add to tags"]')
        self.field(page, "tags[0]").fill("fresh")
        page.click('[aria-label="Set note"]')
        self.field(page, "note").fill("with care")
        self.field(page, "way").select_option("delivery")
        self.field(page, "way.delivery.days").fill("3")
        self.has_text(page, "tt-event-editor",
                  "Replaces event 20 and recomputes 40 entries on Shop, in a separate process")
        page.keyboard.press("Control+Enter")
        self.shows_branch(page, "20 changed", at=20)
        [[edit]] = self.scripts()
        self.assertEqual(edit, {"replace": 20, "event": {"added": {
            "id": "plum", "count": 7, "gift": True, "tags": ["fresh"], "size": "small",
            "way": {"delivery": {"days": 3}}, "note": "with care"}}})

    def test_form_and_json_are_views_of_one_value(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("e")
        self.field(page, "count").fill("9007199254740993")
        page.click("tt-event-editor >> text=JSON")
        text = page.locator(".editor-json")
        expect(text).to_have_value(re.compile('"count": 9007199254740993'))
        text.fill('{"added": {"id": "fig", "count": "many"}}')
        page.wait_for_selector(".problems:has-text('count: Enter a whole number.')")
        page.wait_for_selector(".problems:has-text('gift: A value is missing.')")
        expect(page.locator("tt-event-editor .main")).to_be_disabled()
        text.fill("{")
        page.wait_for_selector(".problems:has-text('not JSON')")
        text.fill('{"removed": {"id": "fig"}}')
        page.click("tt-event-editor >> text=Form")
        expect(self.field(page, "id")).to_have_value("fig")
        page.click("tt-event-editor >> text=Revert")
        expect(self.field(page, "count")).to_have_value("1")
        page.keyboard.press("Escape")
        page.wait_for_selector("tt-event-editor", state="hidden")
        self.assertEqual(self.scripts(), [])

    def test_the_fields_of_another_event_appear_with_the_choice(self):
        page = self.open_page()
        self.go(page, 20)
        page.click("tt-event >> text=Insert…")
        expect(self.field(page, "count")).to_be_visible()
        # In one task: keys that follow the choice at once must not go to the fields before it.
        names = page.evaluate("""() => {
            const choice = document.querySelector("tt-event-editor select");
            choice.value = "removed";
            choice.dispatchEvent(new Event("change", {bubbles: true}));
            return [...document.querySelectorAll("tt-event-editor [data-tokens]")]
                .map((field) => field.ariaLabel);
        }""")
        self.assertEqual(names, ["id"])

    def test_inserts_a_new_event(self):
        page = self.open_page()
        self.go(page, 20)
        page.click("tt-event >> text=Insert…")
        page.locator("tt-event-editor select").first.select_option("removed")
        self.field(page, "id").fill("apple")
        page.click("text=Insert in a new branch")
        self.shows_branch(page, "Removed before 21", at=21)
        self.assertEqual(self.scripts(), [[{"insert": {"removed": {"id": "apple"}}, "before": 21}]])
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        page.keyboard.press("Shift+I")
        page.click("text=Insert in a new branch")
        self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
        self.assertEqual(self.scripts()[-1][0]["before"], 20)

    def test_goes_to_an_entry_that_is_not_computed_yet(self):
        self.daemon.slow["branch"] = 8
        page = self.open_page()
        self.go(page, 50)
        self.row(page, 49).hover()
        page.keyboard.press("d")
        self.shows_branch(page, "Added before 51", at=51)
        self.go(page, 10)
        self.daemon.slow["branch"] = 60
        self.daemon.stall()
        page.keyboard.press("x")
        page.wait_for_selector("tt-jobs .job:not([hidden]):has-text('Computing')")
        page.keyboard.press("b")
        page.wait_for_selector(".branch-list progress:not([hidden])")
        self.daemon.slow["branch"] = 0
        self.daemon.go_on()
        page.wait_for_selector(".branch-list progress", state="hidden")

    def test_shows_where_a_branch_ends_and_what_to_do(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("e")
        self.field(page, "count").fill("5000")
        page.keyboard.press("Control+Enter")
        self.until(page, "() => document.querySelector('.strip-end').textContent.includes("
                         "'It ends at 19: the reducer trapped on the next event.')")
        self.has_text(page, ".strip-end", "fix the reducer")

    def test_names_the_edit_that_was_refused(self):
        page = self.open_page()
        self.daemon.refuse["fork"] = Refusal("wrong-value", "It was lost.", at=0)
        self.go(page, 20)
        page.keyboard.press("x")
        page.wait_for_selector(".notice.error:has-text('It was lost.')")
        self.shows_main(page, at=20)

    def test_keeps_the_undo_history_of_a_tab_over_a_reload(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        self.hash_of(page, "seq=20")
        page.reload()
        self.shows_branch(page, "Without 20", at=20)
        page.keyboard.press("u")
        self.shows_main(page, at=20)

    def test_computes_what_was_not_captured(self):
        self.daemon.thinned = {(MAIN, seq) for seq in range(20, 24)}
        page = self.open_page()
        page.keyboard.press("g")
        page.keyboard.type("21")
        page.keyboard.press("Enter")
        page.click("text=Compute it now")
        page.wait_for_selector(".tree-title:has-text('computed')")


class NoHost(TravelTest):
    hosts = ()

    def test_asks_for_a_host_and_gets_it(self):
        page = self.open_page()
        self.go(page, 20)
        self.has_text(page, "tt-event", "needs a host that runs the reducer")
        expect(page.locator("tt-event >> text=Skip").locator("..")).to_be_disabled()
        page.keyboard.press("x")
        page.wait_for_selector(".notice.info:has-text('needs a host')")
        page.click("tt-toolbar .host")
        self.has_text(page, ".window[open]", "ReducerHost.runIfAsked")
        page.get_by_label("Path on the daemon's machine").fill("build/Nothing")
        page.keyboard.press("Enter")
        page.wait_for_selector(".window-answer:has-text('There is no file')")
        page.get_by_label("Path on the daemon's machine").fill("build/Shop")
        page.get_by_label("Arguments").fill("--host  fast")
        page.get_by_label("Only for timelines of Shop").check()
        page.click("text=Start host")
        page.wait_for_selector(".host-list li:has-text('ready')")
        asked = self.daemon.of("host")[-1]
        self.assertEqual((asked["arguments"], asked["app"]), (["--host", "fast"], "Shop"))
        page.keyboard.press("Escape")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: Shop')")
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)


class LiveHost(TravelTest):
    hosts = ({"name": "Shop, pid 77", "place": "live", "makes": ["Cart()"]},)

    def test_warns_where_the_reducer_runs(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("e")
        self.has_text(page, "tt-event-editor", "inside the live program: an edit that traps ends it")
        self.has_text(page, "tt-toolbar .host", "the live program")


class LookOnly(TravelTest):
    capabilities = ("look",)

    def test_a_read_only_session_cannot_change_the_past(self):
        page = self.open_page()
        self.has_text(page, "tt-event", "can look, but not edit")
        page.click("tt-toolbar .host")
        page.click(".host-more summary")
        # A form that cannot be used is not shown; what is said instead leads on.
        self.has_text(page, ".window[open] .window-answer", "debugd open --host")
        expect(page.locator(".window[open] button:has-text('Start host')")).to_be_hidden()


if __name__ == "__main__":
    unittest.main()
