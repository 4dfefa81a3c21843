"""Checks pages with axe. Their policy forbids its script, so such pages are opened without the policy."""

from axe_playwright_python.base import AXE_SCRIPT

# The rules whose result depends on the theme. The document is the same in both.
COLORS = ["color-contrast", "link-in-text-block"]

RUN = """(rules) => axe.run(document, {
  resultTypes: ["violations"],
  preload: false,
  ...(rules && { runOnly: rules }),
}).then((found) => found.violations)"""


class Checked:
    """A browser test that has pages looked at."""

    # The rules to check, or all.
    rules = None

    # A low window has fewer rows, which are all of the same kinds.
    low = (1440, 640)

    def check(self, page, what, rules=None):
        """Fails where axe finds anything in the page as it is now."""
        self.still(page)
        if page.evaluate("!window.axe"):
            page.evaluate(AXE_SCRIPT)
        violations = page.evaluate(RUN, rules or self.rules)
        told = [f'{one["id"]}: {one["nodes"][0]["html"][:160]}' for one in violations]
        self.assertEqual(told, [], what)

    def in_both_themes(self, page, what):
        """Checks all rules in the light theme, and those that depend on the theme in the dark one."""
        page.emulate_media(color_scheme="light")
        self.check(page, f"{what}, light")
        page.emulate_media(color_scheme="dark")
        self.check(page, f"{what}, dark", COLORS)
