"""Live control: holding an app, moving it through time, and who is in control."""

import copy
import unittest

from playwright.sync_api import expect

from shop import MAIN, event
from time_travel import TravelTest


OTHER = MAIN[:-2] + "00"


class Pressing(TravelTest):
    """Rows move while the machine runs: a click counts for the row under the pointer when it was pressed."""

    def press(self, page, target, happen):
        """Presses on an element, waits until something moves the rows, and releases."""
        box = target.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        happen(page)
        self.drawn(page)
        page.mouse.up()

    def entries(self, page):
        """Three entries; the list follows them."""
        for _ in range(3):
            self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
        page.wait_for_selector('.row.on[data-seq="62"]')

    def following(self):
        page = self.open_page()
        self.wait_for_seq(page, 59)
        page.wait_for_selector('.row.on[data-seq="59"]')
        return page

    def test_questions_are_about_the_value_that_was_there(self):
        page = self.following()
        self.value(page, "/total").click(button="right", position={"x": 40, "y": 8})
        question = page.get_by_role("menuitem", name="When did it become")
        asked = question.text_content()
        for _ in range(3):
            self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
        self.has_text(page, ".live .chip", "3 new")
        # The page stays where the question was asked.
        self.assertEqual(self.cursor(page), 59)
        shown = self.value(page, "/total").locator(".tree-value").text_content()
        self.assertEqual(asked, f"When did it become {shown}?")

    def test_the_pressed_entry_is_selected(self):
        page = self.following()
        row = self.row(page, 55)
        before = row.bounding_box()
        self.press(page, row, self.entries)
        self.assertNotEqual(self.row(page, 55).bounding_box(), before, "no row moved")
        self.wait_for_seq(page, 55)

    def test_a_button_of_a_row_acts_on_the_pressed_entry(self):
        page = self.following()
        row = self.row(page, 55)
        row.hover()
        self.press(page, row.locator("[data-act=entry-menu]"), self.entries)
        self.has_text(page, "tt-entry-menu .menu", "Entry 55")
        page.locator(".menu button", has_text="Skip this entry").click()
        self.shows_branch(page, "Without 55", at=55)
        self.assertEqual(self.scripts()[-1], [{"drop": 55}])

    def test_the_pressed_machine_is_opened_although_another_begins_before_it(self):
        page = self.following()
        main = page.locator(f'.machine[data-key="{MAIN}"]:visible')
        page.locator(".row:visible").first.click()
        other = copy.deepcopy(self.daemon.timelines[MAIN])
        other.header |= {"timeline": OTHER, "app": {"name": "Newer", "pid": 78},
                         "started": "2030-05-01T08:00:00Z"}
        self.daemon.timelines[OTHER] = other

        def start(page):
            self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": other.summary()}))
            # Comes after the news of the other machine.
            self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
            expect(main.locator(".entries")).to_have_text("61")

        before = main.bounding_box()
        self.press(page, main, start)
        self.assertEqual(main.bounding_box(), before, "a row moved under the pointer")
        self.hash_of(page, f"timeline={MAIN}")
        self.leave(page)
        expect(page.locator(f'.machine[data-key="{OTHER}"]')).to_be_visible()


class Live(TravelTest):
    def strip(self, page, which, words=""):
        page.wait_for_selector(f'tt-live-strip[data-is="{which}"]:has-text("{words}")')

    def hold(self, page):
        page.keyboard.press("h")
        self.strip(page, "mine", "You paused cart")

    def test_holds_steps_restores_sends_and_resumes(self):
        page = self.open_page()
        self.strip(page, "free", "cart is running")
        page.click("text=Pause (queue events)")
        self.strip(page, "mine", "Its events are queued")
        self.assertEqual(self.daemon.of("hold")[-1]["policy"], "queue")
        step = page.locator("tt-live-strip >> text=Deliver one").locator("..")
        self.assertTrue(step.is_disabled())
        self.daemon.now(self.daemon.queue(2))
        self.strip(page, "mine", "2 events queued.")
        step.click()
        self.strip(page, "mine", "1 event queued.")
        self.go(page, 7)
        page.click("text=Move it to this moment")
        self.until(page, "() => document.querySelector('.count').textContent === '62'")
        page.keyboard.press("End")
        page.wait_for_selector(".row.on:has-text('restored to 7')")
        self.assertEqual(self.daemon.of("restore")[-1]["from"], {"timeline": MAIN, "seq": 7})
        self.go(page, 20)
        page.click("tt-live-strip >> text=Send this event")
        self.until(page, "() => document.querySelector('.count').textContent === '63'")
        self.assertEqual(self.daemon.of("dispatch")[-1]["event"],
                         self.daemon.timelines[MAIN].lines[20]["event"])
        page.click("[data-command=live-resume]")
        self.strip(page, "free")

    def test_has_a_key_for_everything(self):
        page = self.open_page()
        self.hold(page)
        self.daemon.now(self.daemon.queue(1))
        self.strip(page, "mine", "1 event queued.")
        page.keyboard.press("s")
        self.go(page, 20)
        page.keyboard.press("Shift+H")
        page.keyboard.press("Shift+L")
        self.until(page, "() => document.querySelector('.count').textContent === '63'")
        page.keyboard.press("h")
        self.strip(page, "free")
        # A hold with a lease renews it, after five seconds.
        self.assertEqual([one["type"] for one in self.daemon.asked
                          if one["type"] in ("step", "restore", "dispatch", "resume")
                          or one["type"] == "hold" and "lease" not in one],
                         ["hold", "step", "restore", "dispatch", "resume"])

    def test_pauses_and_resumes_recording(self):
        page = self.open_page()
        self.strip(page, "free")
        self.command(page, "Pause recording")
        self.strip(page, "free", "Recording is paused.")
        asked = {key: value for key, value in self.daemon.of("capture")[-1].items() if key != "id"}
        self.assertEqual(asked, {"type": "capture", "timeline": MAIN, "allow": []})
        self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
        page.click("tt-live-strip >> text=Resume recording")
        page.wait_for_selector("tt-live-strip:not(:has-text('paused'))")
        self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
        self.until(page, "() => document.querySelector('.count').textContent === '61'")
        # The same with only keys, and with only the pointer.
        self.press_command(page, "Pause recording")
        self.strip(page, "free", "Recording is paused.")
        self.command(page, "Resume recording")
        page.wait_for_selector("tt-live-strip:not(:has-text('paused'))")
        self.assertNotIn("allow", self.daemon.of("capture")[-1])

    def test_drops_the_machines_own_events_when_asked_to(self):
        page = self.open_page()
        page.click("text=Pause (drop events)")
        self.strip(page, "mine", "Its events are dropped")
        self.assertEqual(self.daemon.of("hold")[-1]["policy"], "refuse")

    def test_sends_an_edited_event_but_no_stand_ins(self):
        page = self.open_page()
        self.hold(page)
        self.go(page, 5)
        page.keyboard.press("Shift+L")
        page.wait_for_selector(".notice:has-text('redacted')")
        page.keyboard.press("e")
        send = page.locator("tt-event-editor >> text=Send to the live machine")
        page.wait_for_selector("tt-event-editor >> text=Type real values")
        self.assertTrue(send.is_disabled())
        self.field(page, "token").fill("abc")
        page.wait_for_selector("tt-event-editor button:not([disabled]):has-text('Send to')")
        send.click()
        self.until(page, "() => document.querySelector('.count').textContent === '61'")
        self.assertEqual(self.daemon.of("dispatch")[-1]["event"], {"signedIn": {"token": "abc"}})

    def test_a_second_inspector_sees_it_and_takes_over(self):
        one = self.open_page()
        other = self.open_page()
        self.hold(one)
        self.strip(other, "other", "Chromium on Debian controls cart")
        other.keyboard.press("h")
        other.wait_for_selector(".notice:has-text('take it over')")
        other.click("tt-live-strip >> text=Take over")
        self.strip(other, "mine")
        self.strip(one, "other")
        one.wait_for_selector(".notice.warning:has-text('no longer control the machine')")

    def test_losing_control_is_reported(self):
        page = self.open_page()
        self.hold(page)
        self.daemon.now(self.daemon.release("The lease was not renewed for 15 s."))
        self.strip(page, "lost", "The lease was not renewed for 15 s.")
        page.click("text=Pause (queue events)")
        self.strip(page, "mine")

    def test_a_reload_reports_that_the_machine_resumed(self):
        page = self.open_page()
        self.hold(page)
        page.reload()
        page.wait_for_selector(".notice.warning:has-text('The page was reloaded, so cart resumed.')")
        page.reload()
        page.wait_for_selector(".tree-row")
        self.assertEqual(page.locator(".notice.warning").count(), 0)

    def test_renews_its_lease(self):
        page = self.open_page()
        self.hold(page)
        self.comes(page, lambda: len(self.daemon.of("hold")) > 1, "the lease is renewed")
        renewed = self.daemon.of("hold")[-1]
        self.assertEqual(renewed["lease"], self.daemon.held["lease"])
        self.strip(page, "mine", "Its events are queued")

    def test_drives_the_app_from_a_branch(self):
        page = self.open_page()
        self.hold(page)
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        self.strip(page, "mine")
        page.keyboard.press("Shift+H")
        self.comes(page, lambda: self.daemon.of("restore"), "the app is moved")
        sent = self.daemon.of("restore")[-1]
        self.assertEqual((sent["timeline"], sent["from"]["seq"]), (MAIN, 20))
        self.assertNotEqual(sent["from"]["timeline"], MAIN)


class MayNotControl(TravelTest):
    capabilities = ("look", "change")

    def test_a_read_only_page_shows_the_holder_but_no_buttons(self):
        page = self.open_page()
        page.wait_for_selector("tt-live-strip:has-text('cart is running')")
        self.assertEqual(page.locator("tt-live-strip button:visible").count(), 0)
        page.keyboard.press("h")
        page.wait_for_selector(".notice:has-text('cannot control machines')")


if __name__ == "__main__":
    unittest.main()
