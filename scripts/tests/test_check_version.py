import unittest

from planted import Planted

CHECK = "check-version"
PLACE = "Sources/Timelines/ProductVersion.swift"


class Version(Planted):
    def setUp(self):
        super().setUp()
        self.plant(PLACE, 'package enum ProductVersion { package static let current = "1.2.3" }\n')
        self.plant("CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n")

    def test_documents_that_name_the_version_are_clean(self):
        self.plant("docs/start.md", '.package(url: "…", from: "1.2.3")\n\ngit -C ../a tag 1.2.3\n')
        self.assertClean(CHECK)

    def test_other_versions_are_refused(self):
        self.plant("docs/start.md", '.package(url: "…", from: "1.2.2")\n\ngit tag 1.2.4\n')
        self.assertRefused(CHECK, "docs/start.md:1", "docs/start.md:3")

    def test_a_version_without_its_changes_is_refused(self):
        self.plant("CHANGELOG.md", "# Changelog\n\n## 1.2.2\n")
        self.assertRefused(CHECK, "CHANGELOG.md:3")

    def test_sources_without_a_version_are_refused(self):
        self.plant(PLACE, "\n")
        self.assertRefused(CHECK, f"{PLACE}:1")


if __name__ == "__main__":
    unittest.main()
