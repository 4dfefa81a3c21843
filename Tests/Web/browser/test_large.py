"""Long files and large states: the page stays responsive while they are read."""

import json
import os
import pathlib
import sys

from page import LIMIT, PageTest, ROOT
import recordings

sys.path.insert(0, str(pathlib.Path(ROOT, "Tests", "Live")))

TIMELINE = "7c1e5a90-3b2d-4e6f-8a1b-9c0d1e2f3a4b"

# Counts how often the page's own thread responded, and for how long it was asked to; and looks whether
# the page shows its progress meanwhile, which may be over before a test asks.
ANSWERS = """() => {
  const began = performance.now();
  window.answers = { count: 0, most: 0, hasProgress: false };
  const look = () => {
    window.answers.count += 1;
    window.answers.hasProgress ||=
      document.querySelector("tt-cover progress")?.checkVisibility() ?? false;
    window.answers.most = (performance.now() - began) / 10;
    window.looking = setTimeout(look, 10);
  };
  window.looking = setTimeout(look, 10);
}"""


# Presses the button as soon as it is there: the file may have been read before a test finds it.
CANCEL = """() => {
  const look = () => {
    const cancel = [...document.querySelectorAll("tt-cover button")]
      .find((one) => one.textContent === "Cancel" && one.checkVisibility());
    window.hasCanceled = cancel !== undefined;
    if (cancel) cancel.click();
    else requestAnimationFrame(look);
  };
  look();
}"""


class LongFile(PageTest):
    def write(self, count, broken_at=None):
        """A file of many small entries; one line of it may be cut in the middle."""
        path = self.path(f"long-{count}-{broken_at}.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(recordings.HEADER) + "\n")
            file.write('{"seq":0,"t":0,"state":{"n":0}}\n')
            for seq in range(1, count):
                line = (f'{{"seq":{seq},"t":{seq * 100},"event":{{"loaded":{{"n":{seq}}}}},'
                        f'"patch":[{{"op":"replace","path":"/n","value":{seq}}}]'
                        + (f',"state":{{"n":{seq}}}' if seq % 200 == 0 else "") + "}")
                file.write((line[:30] if seq == broken_at else line) + "\n")
        return path

    def test_the_page_answers_while_a_long_file_is_read(self):
        path = self.write(60_000)
        page = self.open_page()
        page.evaluate(ANSWERS)
        page.set_input_files("input[type=file]", path)
        page.wait_for_selector(".tree-row", timeout=120_000)
        answers = page.evaluate("() => window.answers")
        self.assertTrue(answers["hasProgress"])
        # A worker reads, the page draws. If the page itself read the file, it would hardly respond.
        self.assertEqual(len(page.workers), 1)
        self.assertGreater(answers["most"], 20)
        self.assertGreater(answers["count"], answers["most"] / 5, answers)
        self.go(page, 31_234)
        self.assertIn("31234", page.locator('.tree-row[data-path="/n"]').inner_text())
        page.evaluate("clearTimeout(window.looking)")

    def test_reading_is_canceled_and_the_shown_timeline_stays(self):
        page = self.open_page(recordings.write(self.path("first.timeline"), 200))
        self.go(page, 120)
        file = self.write(120_000)
        page.evaluate(CANCEL)
        page.set_input_files("input[type=file]", file)
        self.until(page, "window.hasCanceled")
        page.wait_for_selector("tt-cover", state="hidden")
        self.comes(page, lambda: len(page.workers) == 1, "the worker of the first file is left")
        # It still responds.
        self.go(page, 130)

    def test_the_line_of_a_broken_entry_is_reported(self):
        page = self.open_page()
        page.set_input_files("input[type=file]", self.write(3_000, broken_at=1_700))
        note = page.get_by_text("Line 1702: this is not JSON")
        note.wait_for()
        self.assertIn("cannot be opened", note.inner_text())
        self.comes(page, lambda: page.workers == [], "the worker ends")


class LargeState(PageTest):
    """A state that patches have grown beyond the size of any message, in a real daemon."""

    # Optimized builds handle a hundred megabytes in seconds; this size suits a quick run.
    megabytes = int(os.environ.get("LARGE_STATE_MEGABYTES", "12"))

    def setUp(self):
        build = os.environ.get("LIVE_BUILD", os.path.join(ROOT, ".build", "debug"))
        os.environ["LIVE_BUILD"] = build
        if not os.path.exists(os.path.join(build, "debugd")):
            self.fail(f"there is no debugd in {build}; to fix, run swift build --product debugd")
        from daemon import Daemon
        from peers import Inspector, Recorder

        self.daemon = Daemon(options=["--web", os.path.join(ROOT, "web")]).start()
        self.addCleanup(self.daemon.__exit__)
        with Recorder(self.daemon.socket) as recorder:
            recorder.open(recordings.HEADER | {"timeline": TIMELINE})
            recorder.append(TIMELINE, ['{"seq":0,"t":0,"state":{"n":7,"log":[],"blob":""}}'])
            row = {"name": "x" * 60, "on": True}
            for seq in range(1, self.megabytes // 4 + 1):
                rows = [row | {"id": seq * 100_000 + index} for index in range(40_000)]
                patch = [{"op": "add", "path": f"/part {seq}", "value": rows}]
                entry = {"seq": seq, "t": seq * 1_000, "event": {"grew": {}}, "patch": patch}
                recorder.append(TIMELINE, [json.dumps(entry)])
            self.last = seq
            recorder.wait_until_durable(TIMELINE, seq)
        with Inspector(self.daemon.socket) as inspector:
            self.code = inspector.ask("invite", can=["look"])["code"]

    def test_it_is_shown_cut_and_opened_part_by_part(self):
        context = self.browser.new_context(viewport={"width": 1440, "height": 860})
        self.addCleanup(context.close)
        context.set_default_timeout(LIMIT * 1_000)
        page = context.new_page()
        frames = []
        page.on("websocket", lambda socket: socket.on(
            "framereceived", lambda frame: frames.append(len(frame))))
        page.goto(f"{self.daemon.address}#code={self.code}")
        page.wait_for_selector('.tree-row[data-path="/n"]', timeout=120_000)
        # Only a small part of it was sent.
        self.assertLess(max(frames), 400_000)
        row = page.locator('.tree-row[data-path="/part 1"]')
        self.assertIn("40,000 items", row.inner_text())
        row.locator(".twist").click()
        page.wait_for_selector('.tree-row[data-path="/part 1/0"]')
        # The end of the list shows how many are missing, and loads more of them.
        page.locator(".tree").press("End")
        page.evaluate("""() => {
            const tree = document.querySelector("tt-state-tree .tree");
            const row = document.querySelector('.tree-row[data-path="/part 1/0"]');
            tree.scrollTop = row.offsetTop;
        }""")
        more = page.locator(".tree-row:visible", has_text="more, load")
        # Rows beyond the edge are drawn, too: one that has to be scrolled into view would disappear.
        self.until(page, """async () => {
            const tree = document.querySelector("tt-state-tree .tree");
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const row = [...tree.querySelectorAll(".tree-row:not([hidden])")]
                .find((row) => row.textContent.includes("more, load"));
            if (row?.getBoundingClientRect().bottom < tree.getBoundingClientRect().bottom) {
                return true;
            }
            tree.scrollTop += tree.clientHeight / 2;
            return false;
        }""")
        before = more.first.inner_text()
        more.first.locator(".tree-value").click()
        self.until(page, """before => ![...document.querySelectorAll(".tree-row:not([hidden])")]
            .some((row) => row.innerText === before)""", before)
        self.assertLess(max(frames), 9_000_000)
