"""Checks pages with axe. The page's policy forbids its script, so these pages are opened without it."""

import os

from axe_playwright_python.base import AXE_SCRIPT

# The rules whose result depends on the theme. The document is the same in both.
COLORS = ["color-contrast", "link-in-text-block"]

# Whether every state is checked in the dark theme, too. `scripts/test themes` sets it.
EVERY_THEME = os.environ.get("ACCESS_THEMES") == "all"

# What is checked. What is behind a window is checked without the window, in other states.
RUN = """({ rules, within } = {}) => axe.run(
  within ?? (document.querySelector("dialog[open]")
    ? { include: ["dialog[open]", "tt-notices"].map((selector) => [selector]) }
    : document), {
  resultTypes: ["violations"],
  preload: false,
  ...(rules && { runOnly: rules }),
}).then((found) => found.violations)"""


class Checked:
    """A browser test that checks pages."""

    # The rules to check, or all.
    rules = None

    # How many states this test has checked with alternating themes.
    turn = 0

    # A low window has fewer rows; they are all of the same kinds.
    low = (1440, 640)

    def check(self, page, what, rules=None, within=None):
        """Fails if axe finds anything in the current page, or in an element of it."""
        self.still(page)
        if page.evaluate("!window.axe"):
            page.evaluate(AXE_SCRIPT)
        violations = page.evaluate(RUN, {"rules": rules or self.rules, "within": within})
        violated = [f'{one["id"]}: {one["nodes"][0]["html"][:160]}' for one in violations]
        self.assertEqual(violated, [], what)

    def check_state(self, page, what, within=None):
        """Checks all rules in one theme. The long run then checks the colors in the other one.

        The themes take turns, so that each run sees the colors of both.
        """
        first, second = ("light", "dark") if self.turn % 2 == 0 else ("dark", "light")
        self.turn += 1
        page.emulate_media(color_scheme=first)
        self.check(page, f"{what}, {first}", within=within)
        if EVERY_THEME:
            page.emulate_media(color_scheme=second)
            self.check(page, f"{what}, {second}", COLORS, within)
