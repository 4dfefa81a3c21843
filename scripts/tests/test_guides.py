import os
import sys
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(SCRIPTS, "lib"))
import guides

PAGES = {
    "docs/README.md": "# Documentation\n\nAll of it.\n\n## Start\n\n- [A](a.md): first.\n",
    "docs/a.md": "# A\n\n## The `API` of A, and more\n",
    "docs/use/README.md": "# Use\n",
    "docs/use/b.md": "# B\n",
}


class Guides(unittest.TestCase):
    """How scripts/docs converts documents to articles."""

    def converted(self, text, path="docs/use/b.md"):
        return guides.converted(path, {**PAGES, path: text})

    def test_links_between_pages_lead_to_articles(self):
        for link, article in [
            ("[a](../a.md)", "[a](doc:a)"), ("[b](b.md)", "[b](doc:use-b)"),
            ("[use](../use)", "[use](doc:use)"), ("[home](../README.md)", "[home](doc:Guides)"),
            ("[part](../a.md#the-api-of-a-and-more)", "[part](doc:a#The-API-of-A-and-more)"),
            ("[web](https://example.org)", "[web](https://example.org)"),
        ]:
            self.assertEqual(self.converted(link)[0], article)

    def test_a_link_out_of_the_site_becomes_text(self):
        self.assertEqual(self.converted("see [the example](../../Examples/Sources/Coin)")[0],
                         "see the example")

    def test_pictures_are_copied(self):
        self.assertEqual(self.converted("![a tab](../images/tab.png)"),
                         ("![a tab](tab.png)", {"docs/images/tab.png"}))

    def test_blocks_are_not_changed(self):
        text = "<!-- fixture: x -->\n```console example\n$ cat [a](a.md)\n```\n[a](../a.md)"
        self.assertEqual(self.converted(text)[0],
                         "```console\n$ cat [a](a.md)\n```\n[a](doc:a)")

    def test_the_first_page_has_every_page_as_a_topic(self):
        text, _ = guides.converted("docs/README.md", PAGES)
        _, _, topics = guides.home(text, PAGES).partition("## Topics")
        for name in ("a", "use", "use-b"):
            self.assertEqual(topics.count(f"<doc:{name}>"), 1, topics)


if __name__ == "__main__":
    unittest.main()
