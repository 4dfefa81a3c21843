"""The states of a machine as a drawing: lit, counted, moved, zoomed, and walked by keys."""

import re
import unittest

from playwright.sync_api import expect

from access import Checked
from page import PageTest

AT = "document.querySelector('.diagram > svg > g').getAttribute('transform')"
FOCUSED = "document.activeElement.getAttribute('aria-label')"


class StateDiagram(Checked, PageTest):
    def open_pages(self, **options):
        page = self.visit(self.new_context(bypass_csp=True, **options),
                          f"http://127.0.0.1:{self.server.server_address[1]}/index.html?sample=pages")
        self.wait_for_seq(page, 40)
        page.keyboard.press("4")
        self.has_text(page, ".graph-title", "counts from entry 0 to 40")
        return page

    def test_lights_the_path_and_counts_the_edges(self):
        page = self.open_pages()
        self.until(page, "document.querySelectorAll('.state-box').length === 7")
        self.assertEqual(page.locator(".state-box.active .state-name").all_text_contents(),
                         ["root", "signedIn", "list"])
        self.assertEqual(page.locator(".state-box.on").get_attribute("aria-label"),
                         "list, the current state, entered, reached last by entry 40")
        labels = page.locator(".edge-label text").all_text_contents()
        self.assertIn("open ×13", labels)
        self.assertIn("rejected", labels)
        # Earlier there were fewer, and another state is lit.
        self.go(page, 3)
        self.has_text(page, ".graph-title", "list after 3", "0 to 3")
        self.assertIn("open", page.locator(".edge-label text").all_text_contents())
        page.click(".bar .first")
        self.has_text(page, ".graph-title", "not started after 0")
        self.assertEqual(page.locator(".state-box.active").count(), 0)

    def test_travels_to_what_took_an_edge_last_by_pointer_and_by_keys(self):
        page = self.open_pages()
        page.locator(".edge-label", has_text="signOut").click()
        self.wait_for_seq(page, 34)
        self.until(page, "document.querySelector('.edge-label.now')"
                         "?.textContent.includes('signOut')")
        page.locator(".diagram > svg").focus()
        page.keyboard.press("ArrowDown")
        self.assertIn("the current state", page.evaluate(FOCUSED))
        for _ in range(12):
            if "expired" in page.evaluate(FOCUSED):
                break
            page.keyboard.press("ArrowUp")
        self.assertEqual(page.evaluate(FOCUSED),
                         "expired, root to signedOut, taken 1 time, last by entry 29")
        self.wait_for_seq(page, 34)
        page.keyboard.press("Enter")
        self.wait_for_seq(page, 29)

    def test_names_are_readable_and_the_focus_is_on_a_state(self):
        page = self.open_pages()
        # As drawn, after the scale of the drawing.
        sizes = page.evaluate("""() => [...document.querySelectorAll(".diagram text")].map((text) =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)""")
        self.assertGreaterEqual(min(sizes), 8)
        # Names and labels stay in their boxes.
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(".edge-label, .state-box")]
            .filter((label) => label.querySelector("text").getBBox().width
              > label.querySelector("rect").getBBox().width)
            .map((label) => label.textContent)"""), [])
        look = """() => [getComputedStyle(document.querySelector(".diagram > svg")).outlineStyle,
            getComputedStyle(document.querySelector(".state-box.on rect")).strokeWidth]"""
        page.locator("#tab-chart").focus()
        self.assertEqual(page.evaluate(look)[1], "2.4px")
        self.tab_to(page, ".diagram > svg")
        self.still(page)
        self.assertEqual(page.evaluate(look), ["none", "4px"])
        # Without a current state, the drawing shows the focus.
        page.click(".bar .first")
        self.has_text(page, ".graph-title", "not started after 0")
        page.locator("#tab-chart").focus()
        self.tab_to(page, ".diagram > svg")
        self.assertEqual(page.evaluate(
            "getComputedStyle(document.querySelector('.diagram > svg')).outlineStyle"), "solid")

    def test_the_focus_does_not_look_like_what_is_active(self):
        page = self.open_pages()
        self.tab_to(page, ".diagram > svg")
        page.keyboard.press("ArrowDown")
        for key in "ArrowDown", "ArrowUp":
            page.keyboard.press(key)
            self.still(page)
            focused, active = page.evaluate("""() => [
              document.activeElement, document.querySelector(".state-box.active:not(.on)")]
              .map((one) => getComputedStyle(one.querySelector("rect")).stroke)""")
            self.assertNotEqual(focused, active, page.evaluate(FOCUSED))

    def test_opens_whole(self):
        page = self.open_pages()
        self.assertEqual(page.evaluate("""() => {
          const [view, drawing] = [".diagram > svg", ".diagram > svg > g"]
            .map((one) => document.querySelector(one).getBoundingClientRect());
          return [drawing.top >= view.top, drawing.bottom <= view.bottom,
            drawing.left >= view.left, drawing.right <= view.right];
        }"""), [True] * 4)

    def test_its_key_leads_into_it_and_escape_back_to_the_events(self):
        page = self.open_pages()
        page.locator(".grid").focus()
        # The arrow keys travel until then.
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 39)
        page.keyboard.press("4")
        expect(page.locator(".diagram > svg")).to_be_focused()
        self.still(page)
        self.assertEqual(page.evaluate(
            "getComputedStyle(document.querySelector('.state-box.on rect')).strokeWidth"), "4px")
        page.keyboard.press("ArrowRight")
        self.assertIn("the current state", page.evaluate(FOCUSED))
        self.assertEqual(self.cursor(page), 39)
        page.keyboard.press("Escape")
        expect(page.locator(".grid")).to_be_focused()
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 38)

    def test_is_dragged_zoomed_and_fitted(self):
        # So high that all of it fits.
        page = self.open_pages(size=(1440, 1200))
        fitted = page.evaluate(AT)
        box = page.locator(".diagram").bounding_box()
        x, y = box["x"] + 30, box["y"] + 60

        def changes(act):
            before = page.evaluate(AT)
            act()
            self.until(page, f"before => {AT} !== before", before)
            return [float(one) for one in re.findall(r"-?[\d.]+", page.evaluate(AT))]

        def drag():
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 40, y + 25, steps=4)
            page.mouse.up()

        start = [float(one) for one in re.findall(r"-?[\d.]+", fitted)]
        moved = changes(drag)
        self.assertAlmostEqual(moved[0] - start[0], 40, delta=1)
        self.assertAlmostEqual(moved[1] - start[1], 25, delta=1)
        self.assertGreater(changes(lambda: page.mouse.wheel(0, -200))[2], start[2])
        self.assertGreater(changes(lambda: page.click("[aria-label='Zoom in']"))[2], start[2])
        page.locator(".diagram > svg").focus()
        larger = changes(lambda: page.keyboard.press("+"))
        self.assertLess(changes(lambda: page.keyboard.press("-"))[2], larger[2])
        page.keyboard.press("0")
        self.until(page, f"fitted => {AT} === fitted", fitted)

    def test_a_large_diagram_fills_the_view_and_is_fitted_on_request(self):
        page = self.open_pages(size=(1440, 560))
        edges = """(() => {
          const [view, drawing] = [".diagram > svg", ".diagram > svg > g"]
            .map((one) => document.querySelector(one).getBoundingClientRect());
          return { above: drawing.top - view.top, below: view.bottom - drawing.bottom };
        })()"""
        page.click(".bar .first")
        for _ in range(40):
            page.click(".bar .next")
            self.drawn(page)
            # Wherever the active state is, there is no emptiness beyond the drawing's edges.
            found = page.evaluate(edges)
            self.assertLess(max(found.values()), 30, found)
        # Counts that come later may draw another diagram, which is not fitted.
        self.has_text(page, ".graph-title", "counts from entry 0 to 40")
        page.click("[aria-label='Fit the diagram']")
        found = page.evaluate(edges)
        self.assertGreater(min(found.values()), 0, found)

    def test_has_nothing_that_axe_finds(self):
        for scheme in "light", "dark":
            with self.subTest(scheme):
                page = self.open_pages(scheme=scheme)
                page.locator(".diagram > svg").focus()
                page.keyboard.press("ArrowDown")
                self.check(page, "a state diagram")


if __name__ == "__main__":
    unittest.main()
