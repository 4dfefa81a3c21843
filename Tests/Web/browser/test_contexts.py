"""What a test stores in its browser context does not reach the next test."""

from page import PageTest, Shared

# A value in each place that a page can write to.
FILL = """async () => {
  document.cookie = "kept=1";
  localStorage.kept = sessionStorage.kept = 1;
  await new Promise((done) => indexedDB.open("kept", 1).onsuccess = done);
  await caches.open("kept");
}"""

FOUND = """async () => [
  document.cookie, localStorage.kept ?? "", sessionStorage.kept ?? "",
  ...(await indexedDB.databases()).map((one) => one.name), ...await caches.keys(),
  history.length, (await navigator.permissions.query({ name: "clipboard-read" })).state,
]"""


class Kept(PageTest):
    def visit_context(self, lent):
        page = lent.context.new_page()
        page.goto(f"http://127.0.0.1:{self.server.server_address[1]}/samples/README.md")
        return page

    def test_a_context_is_empty_after_each_test(self):
        options = {"viewport": {"width": 500, "height": 400}}
        lent = Shared.contexts.lend(**options)
        before = self.visit_context(lent).evaluate(FOUND)
        self.assertEqual(before, ["", "", "", 2, "prompt"])
        page = self.visit_context(lent)
        lent.context.grant_permissions(["clipboard-read"])
        page.evaluate(FILL)
        self.assertEqual(page.evaluate(FOUND), ["kept=1", "1", "1", "kept", "kept", 2, "granted"])
        lent.put_back()
        self.assertEqual(len(lent.context.pages), 1)
        again = Shared.contexts.lend(**options)
        self.assertIs(again, lent)
        self.assertEqual(self.visit_context(again).evaluate(FOUND), before)
        again.context.close()

    def test_a_closed_context_is_not_used_again(self):
        lent = Shared.contexts.lend(bypass_csp=True)
        lent.context.close()
        lent.put_back()
        other = Shared.contexts.lend(bypass_csp=True)
        self.assertIsNot(other, lent)
        other.context.close()
