"""Scrubbing over a hundred thousand entries: the cost of a frame does not grow with the recording."""

import unittest

from page import PageTest
import test_large

# Milliseconds per frame on the page's own thread, by its own clock: three times the measurement on a
# busy machine. Code that reads every entry in each frame takes longer.
MOST = 42

FRAMES = """() => {
  window.frameCount = 0;
  const count = () => { window.frameCount += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""


class Scrubbing(PageTest):
    write = test_large.LongFile.write

    def cost(self, page):
        """The processor time of the page's thread so far, in milliseconds."""
        metrics = page.cdp.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration") * 1_000

    def test_a_move_stays_within_the_cost_of_a_frame(self):
        page = self.open_page()
        page.set_input_files("input[type=file]", self.write(100_000))
        page.wait_for_selector(".tree-row", timeout=120_000)
        self.loaded(page)
        page.cdp = page.context.new_cdp_session(page)
        page.cdp.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        page.cdp.send("Performance.enable")
        box = page.locator("tt-timeline .slider").bounding_box()
        moves = 80
        page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 60)
        page.mouse.down()
        page.wait_for_timeout(300)
        page.evaluate(FRAMES)
        before = self.cost(page)
        seen = set()
        for move in range(moves):
            page.mouse.move(box["x"] + (0.1 + 0.8 * move / moves) * box["width"], box["y"] + 60)
            seen.add(page.evaluate("document.querySelector('.slider').ariaValueNow"))
        cost = (self.cost(page) - before) / page.evaluate("window.frameCount")
        page.mouse.up()
        self.assertGreater(len(seen), moves / 2)
        self.assertLess(cost, MOST)
        # The rows are a pool, which does not grow with the recording either.
        rows = page.locator("tt-events .row").count()
        self.assertLess(rows, 120)
        last = int(page.evaluate("document.querySelector('.slider').ariaValueNow"))
        self.until(page, "seq => document.querySelector('.tree-title').textContent"
                         ".includes(` after ${seq.toLocaleString('en-US')}`)", last)


if __name__ == "__main__":
    unittest.main()
