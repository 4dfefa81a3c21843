import unittest

from planted import Planted

CHECK = "check-prose"


class Prose(Planted):
    def test_pages_that_do_not_speak_to_the_reader_are_refused(self):
        for path in "README.md", "docs/getting-started.md", "docs/recipes/store.md":
            with self.subTest(path=path):
                self.plant(path, "The daemon stores each entry before it answers the recorder.\n")
                self.assertRefused(CHECK, f"{path}:1")
                self.plant(path, "Your daemon stores each entry before it answers you.\n")
                self.assertClean(CHECK)

    def test_passives_are_refused_and_named(self):
        self.plant("README.md", "Your entry is stored, and your file was\nwritten.\n")
        [line], status = self.check(CHECK)
        self.assertIn("'is stored', 'was written'", line)
        self.assertEqual(status, 1)
        self.plant("README.md", "You store the entry, and your daemon is quick.\n")
        self.assertClean(CHECK)

    def test_irregular_and_colloquial_passives_count(self):
        for passive in ("is brought", "was begun", "are never sold", "gets shown", "isn't kept",
                        "were already overwritten", "is now thrown"):
            with self.subTest(passive=passive):
                self.plant("README.md", f"You know that your entry {passive}.\n")
                self.assertRefused(CHECK, "README.md:1")

    def test_adjectives_are_not_passives(self):
        for words in "is red", "is indeed yours", "is your need", "is quickly yours":
            with self.subTest(words=words):
                self.plant("README.md", f"You know that your entry {words}.\n")
                self.assertClean(CHECK)

    def test_code_tables_and_links_are_not_prose(self):
        self.plant("README.md", "You read [this](is/stored.md).\n\n```\nit is stored\n```\n\n"
                                "| is stored |\n|---|\n\nThe word `is stored` is yours.\n")
        self.assertClean(CHECK)

    def test_a_long_readme_is_refused(self):
        self.plant("README.md", "You read this. " * 400)
        self.assertRefused(CHECK, "README.md:1")

    def test_a_recipe_with_much_code_is_refused(self):
        for lines, check in (30, self.assertClean), (31, self.assertRefused):
            code = "call()\n" * lines
            self.plant("docs/recipes/store.md", f"You copy this.\n\n```swift\n{code}```\n")
            check(CHECK, *([] if lines == 30 else ["docs/recipes/store.md:3"]))

    def test_other_pages_are_not_checked(self):
        self.plant("README.md", "You read this.\n")
        self.plant("docs/storage.md", "Each entry is stored.\n")
        self.assertClean(CHECK)


if __name__ == "__main__":
    unittest.main()
