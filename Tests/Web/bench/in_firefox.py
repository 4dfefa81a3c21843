"""Opens files in Firefox, as the tests of the page do."""

import contextlib
import sys

from browsing import ROOT, WATCHER

sys.path.append(str(ROOT / "Tests" / "Web" / "browser"))
from firefox import Firefox as firefox  # noqa: E402, F401  (its folder must be known first)

# The browser has finished opening the window before a user opens a file.
SETTLED = "new Promise((done) => setTimeout(done, 1500)).then(() => '')"


def opening(browser, path, last):
    """Opens a file in a new page: when it was open."""
    with contextlib.closing(browser.open("about:blank")) as page:
        browser.ask("script.addPreloadScript", functionDeclaration=f"() => {{{WATCHER}}}",
                    contexts=[page.context])
        page.run(SETTLED)
        page.goto(f"file://{path}")
        page.until("watcher.opened > 0", seconds=120)
        shown = page.evaluate("document.querySelector('.slider').ariaValueNow")
        if shown != str(last):
            raise AssertionError(f"the page shows entry {shown}, not {last}")
        return (page.evaluate("watcher.opened"),)
