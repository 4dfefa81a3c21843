"""A recording in one HTML file: it opens from the disk, without a network, and is the page."""

import os
import re
import tempfile
import unittest

from playwright.sync_api import expect

from firefox import Firefox
from live import DaemonTest, page_daemon
import recordings

# Recorded text that ends scripts and comments, in HTML and in JavaScript.
ENDS = "</script><!--<script>window.hacked=1</script>\u2028window.hacked=1;\u2029--></template>]]>"


def hostile(path, count=300):
    """A timeline whose names and values try to be markup."""
    header = recordings.header(5, ENDS, app={"name": ENDS})
    entries = list(recordings.lines(count))
    entries[2]["event"] = {ENDS: {ENDS: ENDS}}
    return recordings.write(path, 0, header=header, entries=entries)


class HtmlFile(DaemonTest):
    """debugd writes it; Chromium opens it, with its network disabled."""

    def export(self, path, *options):
        """Exports a file or a timeline; returns the path of the HTML file."""
        html = self.path(f"{len(os.listdir(self.folder))}.html")
        # A debug build needs its time for a long one.
        self.daemon.run("export", path, "--as", "html", "-o", html, *options, timeout=300)
        return html

    def open_file(self, html):
        context = self.new_context(offline=True)
        self.requests = []
        context.on("request", lambda request: self.requests.append(request.url))
        page = self.visit(context, f"file://{html}")
        page.wait_for_selector(".tree-row")
        return page

    def requested_nothing(self):
        """Whether the browser loaded the file, its worker, and nothing else."""
        schemes = [url.split(":")[0] for url in self.requests]
        self.assertEqual(schemes, ["file", "blob"], self.requests)

    def test_a_double_click_shows_the_recording_without_a_network(self):
        page = self.open_file(self.export(recordings.write(self.path("f.timeline"), 300)))
        self.wait_for_seq(page, 336)
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 335)
        self.go(page, 120)
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Enter")
        self.until(page, r"/^\d+ of/.test(document.querySelector('.count').textContent)")
        page.keyboard.press("Escape")
        expect(page.locator(".notice")).to_have_count(0)
        self.requested_nothing()

    def test_recorded_text_cannot_leave_its_place(self):
        path = hostile(self.path("hostile.timeline"))
        html = self.export(path)
        with open(html, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("window.hacked", text)
        self.assertEqual(len(re.findall("</script", text, re.IGNORECASE)), 3)
        page = self.open_file(html)
        self.go(page, 2)
        for tab in "diff", "raw", "state":
            page.click(f"#tab-{tab}")
            page.wait_for_selector(f"#panel-{tab}:visible")
            self.drawn(page)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(page.locator("script").count(), 3)
        self.assertIn("</script>", page.title())
        self.requested_nothing()

    def test_a_damaged_file_says_so_and_connects_to_nothing(self):
        html = self.export(recordings.write(self.path("d.timeline"), 300))
        with open(html, encoding="utf-8") as file:
            text = file.read()
        begin = text.index(">", text.index('id="timeline"')) + 1
        end = text.index("</script>", begin)
        for name, damaged in (
                ("characters", f"{text[:begin]}!!!!{text[begin + 4:]}"),
                ("short", text[:begin + 100] + text[end:]),
                ("nothing", text[:begin] + text[end:]),
                ("cut", text[:end - 10])):
            with self.subTest(name):
                path = self.path(f"{name}.html")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(damaged)
                page = self.visit(self.new_context(offline=True), f"file://{path}")
                self.has_text(page, "tt-cover", "This file is damaged")
                expect(page.locator("tt-cover a:visible")).to_have_count(0)

    def test_its_policy_refuses_every_other_script_and_connection(self):
        html = self.export(recordings.write(self.path("p.timeline"), 30))
        context = self.new_context()
        page = context.new_page()
        page.goto(f"file://{html}")
        page.wait_for_selector(".tree-row")
        page.evaluate("""() => {
            window.refused = [];
            addEventListener("securitypolicyviolation", (event) =>
                window.refused.push(event.effectiveDirective));
            const script = document.createElement("script");
            document.body.append(script);
            try { script.text = "window.hacked = 1"; } catch { window.refused.push("a text"); }
            fetch("https://example.invalid/").catch(() => {});
            document.body.append(Object.assign(new Image(), { src: "https://example.invalid/" }));
        }""")
        for what in "a text", "connect-src", "img-src":
            self.until(page, "what => window.refused.includes(what)", what)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))

    def test_an_altered_script_does_not_run(self):
        html = self.export(recordings.write(self.path("a.timeline"), 30))
        with open(html, encoding="utf-8") as file:
            text = file.read()
        with open(html, "w", encoding="utf-8") as file:
            file.write(text.replace('<script type="module">', '<script type="module">\n'))
        page = self.new_context().new_page()
        violations = []
        page.on("console", lambda message: violations.append(message.text))
        page.goto(f"file://{html}")
        self.comes(page, lambda: any("Content Security Policy" in one for one in violations),
                   "the browser refuses the script")
        self.assertEqual(page.locator(".tree-row").count(), 0)

    def test_ten_megabytes_open(self):
        path = recordings.write(self.path("long.timeline"), 0, header=recordings.HEADER,
                                entries=recordings.thinned(80_000, 0, -1))
        self.assertGreater(os.path.getsize(path), 9_000_000)
        page = self.open_file(self.export(path))
        self.wait_for_seq(page, 79_999)

    def test_a_range_of_a_daemons_timeline(self):
        timeline = self.import_file(recordings.write(self.path("r.timeline"), 100,
                                                     header=recordings.header(6, "range")))
        page = self.open_file(self.export(timeline, "--from", "90", "--to", "95"))
        self.wait_for_seq(page, 95)
        page.keyboard.press("Home")
        self.wait_for_seq(page, 90)

    def test_the_page_exports_itself(self):
        timeline = self.import_file(recordings.write(self.path("s.timeline"), 60,
                                                     header=recordings.header(7, "self")))
        page = self.open_page(timeline)
        page.keyboard.press("Shift+E")
        page.locator("input[name=export-format][value=html]").check()
        with page.expect_download() as download:
            page.locator("tt-export button", has_text="Download").click()
        self.assertRegex(download.value.suggested_filename, r"^timeline-[0-9a-f]{8}\.html$")
        download.value.save_as(self.path("saved.html"))
        self.wait_for_seq(self.open_file(self.path("saved.html")), 96)

    def test_it_says_what_makes_other_exports_and_runs_its_events(self):
        page = self.open_file(self.export(recordings.write(self.path("says.timeline"), 60)))
        page.keyboard.press("Shift+E")
        reason = "Only debugd makes the other formats. To choose one, run: debugd view FILE"
        expect(page.locator("tt-export .export-choices > .note:visible")).to_have_text(reason)
        html = page.locator("input[name=export-format][value=html]")
        expect(html).to_be_disabled()
        expect(html).to_have_attribute("title", reason)
        page.click("tt-export [aria-label=Close]")
        page.wait_for_selector("tt-export .window[open]", state="hidden")
        page.keyboard.press("v")
        expect(page.locator("tt-prove .note.warn")).to_contain_text("no host runs its events")

    def test_it_opens_other_files_too(self):
        page = self.open_file(self.export(recordings.write(self.path("t.timeline"), 30)))
        other = recordings.write(self.path("other.timeline"), 50,
                                 header=recordings.header(8, "other"))
        page.locator("input[type=file]").set_input_files(other)
        self.until(page, "document.title.includes('other')")


class HtmlFileInFirefox(unittest.TestCase):
    def test_opens_from_the_disk_without_a_network(self):
        with tempfile.TemporaryDirectory() as folder, page_daemon() as daemon:
            path = hostile(os.path.join(folder, "hostile.timeline"))
            html = os.path.join(folder, "hostile.html")
            daemon.run("export", path, "-o", html)
            with Firefox(online=False) as firefox:
                page = firefox.open(f"file://{html}")
                page.until("document.title.endsWith('@ 336')")
                page.press("ArrowLeft")
                page.until("document.title.endsWith('@ 335')")
                page.press("/")
                page.type("error != null")
                page.press("Enter")
                page.until(r"/^\d+ of/.test(document.querySelector('.count').textContent)")
                self.assertIsNone(page.evaluate("window.hacked"))
                schemes = {url.split(":")[0] for url in firefox.requests()}
                self.assertLessEqual(schemes, {"file", "blob", "data", "about"})
                self.assertEqual(firefox.errors(), [])

    def test_ten_megabytes_open(self):
        with tempfile.TemporaryDirectory() as folder, page_daemon() as daemon:
            path = recordings.write(os.path.join(folder, "long.timeline"), 0,
                                    header=recordings.HEADER, entries=recordings.lines(40_000))
            self.assertGreater(os.path.getsize(path), 10_000_000)
            html = os.path.join(folder, "long.html")
            daemon.run("export", path, "-o", html, timeout=300)
            with Firefox(online=False) as firefox:
                page = firefox.open(f"file://{html}")
                page.until("document.title.endsWith('@ 40,036')")
                page.press("ArrowLeft")
                page.until("document.title.endsWith('@ 40,035')")
                self.assertEqual(firefox.errors(), [])


if __name__ == "__main__":
    unittest.main()
