"""What axe finds in a page. Its policy forbids the script that looks: such pages are opened without."""

from axe_playwright_python.sync_playwright import Axe


class Checked:
    """A browser test that has pages looked at."""

    def check(self, page, what):
        """Fails where axe finds anything, in what the page shows now."""
        self.still(page)
        violations = Axe().run(page).response["violations"]
        told = [f'{one["id"]}: {one["nodes"][0]["html"][:160]}' for one in violations]
        self.assertEqual(told, [], what)
