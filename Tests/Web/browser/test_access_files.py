"""axe finds nothing, in both themes, while files are opened, imported, and wrong."""

from access import Checked
from everystate import EveryState
from page import PageTest
from test_by_hand import DROP
import recordings

# From now on, the contents of a file arrive when the test allows it.
HOLD = """() => {
  const read = Blob.prototype.arrayBuffer;
  Blob.prototype.arrayBuffer = async function () {
    await new Promise((resolve) => window.goOn = resolve);
    return read.call(this);
  };
}"""

# And a worker's messages never arrive, so reading the file never ends.
SILENCE = """() => {
  window.Worker = class extends EventTarget {
    postMessage() {}
    terminate() {}
  };
}"""


class Files(Checked, PageTest):
    shows, close = EveryState.shows, EveryState.close

    def open_page(self, file=None, **options):
        return super().open_page(file, size=self.low, bypass_csp=True, **options)

    def write(self, name, count=60, **options):
        return recordings.write(self.path(name), count, **options)

    def test_a_file_that_is_being_read_dropped_or_invalid(self):
        page = self.open_page()
        with open(self.path("bad.timeline"), "w", encoding="utf-8") as file:
            file.write("hello\n")
        page.set_input_files("input[type=file]", self.path("bad.timeline"))
        self.shows(page, "a wrong file", ".notice.error", "Line 1")
        page.evaluate(SILENCE)
        page.set_input_files("input[type=file]", self.write("slow.timeline"))
        self.shows(page, "a file is read", "tt-cover progress")

    def test_short_and_truncated_files(self):
        page = self.open_page(self.write("torn.timeline", 20, tail='{"seq":20,"t"'))
        self.shows(page, "a torn file", ".notice.warning", "13 bytes")
        page.click("tt-status .daemon")
        self.shows(page, "a file has no sessions", "tt-sessions .note.warn", "No one else can see it")
        self.close(page)
        page.click("tt-toolbar .host")
        self.shows(page, "a file has no hosts", ".window-answer", "Hosts need a daemon")
        self.close(page)
        page.keyboard.press("Shift+E")
        self.shows(page, "exports of a file", ".choice input:disabled")
        self.close(page)
        self.command(page, "import this file")
        self.shows(page, "no daemon to give it to", ".notice", "daemon")
        page.set_input_files("input[type=file]", self.write("none.timeline", 0, entries=[]))
        self.shows(page, "no entries", "tt-events .pane-note", "has no entries yet")

    def test_a_gap_and_unknown_values(self):
        page = self.open_page(self.write("gap.timeline", 60))
        self.go(page, 38)
        page.locator(".row.gap:visible").click()
        self.wait_for_seq(page, 77)
        self.shows(page, "a gap is pressed", ".row.gap")
        self.act(page, "/n", "watch")
        page.click("#tab-watch")
        self.shows(page, "a gap among watched values", ".watch-table tr.gap")
        page.set_input_files("input[type=file]", self.write(
            "thin.timeline", 0, header=recordings.header(2, "counter"),
            entries=recordings.thinned(60, 20, 29)))
        page.click("#tab-state")
        self.wait_for_seq(page, 59)
        self.go(page, 30)
        self.act(page, "/n", "watch")
        page.click("#tab-watch")
        self.shows(page, "values that were not captured", "td.unknown")
        page.click("#tab-diff")
        self.shows(page, "an unknown difference", "tt-diff .pane-note", "is not known")

    def test_a_long_export_and_a_stored_line_that_is_cut(self):
        state = {"many": list(range(3_000))}
        page = self.open_page(self.write("long.timeline", 0, entries=[
            {"seq": 0, "t": 0, "state": state}]))
        page.keyboard.press("3")
        self.shows(page, "a line that is cut", "tt-raw .pane-note", "Only the first 2000 lines")
        page.set_input_files("input[type=file]", self.write("many.timeline", 2_400))
        page.keyboard.press("1")
        self.wait_for_seq(page, 2_436)
        page.keyboard.press("Shift+E")
        self.shows(page, "a preview is made when it is asked for", ".preview-show button")


class Importing(EveryState):
    def test_a_file_that_is_imported(self):
        page = self.open_page()
        file = recordings.write(self.path("given.timeline"), 60, header=recordings.header(4, "given"))
        page.set_input_files("input[type=file]", file)
        self.until(page, "document.title.includes('given @')")
        self.shows(page, "a file over the daemon's", "tt-sources [aria-label='Close the file']")
        page.evaluate(HOLD)
        self.command(page, "import this file")
        self.shows(page, "a file is given", "tt-cover progress")
        page.click("tt-cover button:has-text('Cancel')")
        page.wait_for_selector("tt-cover", state="hidden")
        self.check_state(page, "the import was canceled")
