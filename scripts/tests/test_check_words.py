import unittest

from planted import Planted

CHECK = "check-words"
NOT_YET = "scripts/words-not-yet.txt"


class Words(Planted):
    tables = ("scripts/word-rules.txt",)

    def setUp(self):
        super().setUp()
        self.plant(NOT_YET, "# nothing\n")

    def test_words_in_prose_comments_strings_and_identifiers_are_refused(self):
        for line in (
            "/// The page is told of it.",
            "// Whoever calls this waits.",
            'let text = "That is no path."',
            "let hasToldOfLosses = false",
            "func takeMessages() {}",
            "func tellControl() {}",
            "struct TimelineDesk {}",
            "let mostBytes = 5",
            "// the colour of a row",
            "// it can not be done",
            "// a daemon that is none",
            "// the work was cancelled",
            "/// Who answers there knows the secret.",
        ):
            with self.subTest(line=line):
                self.plant("a.swift", f"// fine\n{line}\n")
                self.assertRefused(CHECK, "a.swift:2")

    def test_sentences_that_the_page_no_longer_uses_are_refused_there_only(self):
        for line in (
            "The app runs by itself. Hold it to move it through time and to send it events.",
            "Hold, events wait", "Hold, events are refused",
            "You hold the app. 3 events wait. It does nothing by itself.",
            "Renewed by this page, 12 s left.", "Let it go on", "Let one waiting event through",
            "Not to the live app yet: Hold the app first.",
            "Chrome on Linux x86_64 holds the app. What happens comes from there, until it lets go.",
            "Move the app here", "Send to the live app",
            "Puts in a new event and recomputes 1 entry on Gallery, in a process of its own.",
            "Replace this event in a fork", "Fork here with this event",
            "Looks for the fewest events after which something holds.", "Until this holds",
            "Look for the fewest", "It may begin with a later state, not only with the first one",
            "3 events are enough.", "Without any one of them it does not happen.",
            "Up to 44, without 1 to 6, 8 to 15 and 2 more, 7 changed",
            "It carries nothing.", "Nothing fits.", "Nothing is called that.",
            "was 45 of the parent", "What they were is not known here.",
            "Undo all that follows this entry", "Move it before the one before",
            "Move it behind the next one", "Mark this entry, or take its mark away",
            "the text ends where a value was expected",
            "a file that is odd: it begins with no header", "It opens in every inspector",
            "events and expectations for a test of one's own",
            "The recording does not say how a fresh counter is made.",
            "so no host can run its reducer", "Follow this value", "Follow what is live",
        ):
            with self.subTest(line=line):
                self.plant("web/a.js", f'const text = `{line}`;\n')
                self.assertRefused(CHECK, "web/a.js:1")
        self.plant("web/a.js", "// fine\n")
        self.plant("a.swift", 'let text = "Nothing fits. It carries nothing."\n')
        self.assertClean(CHECK)

    def test_file_names_are_refused(self):
        self.plant("Sources/Door.swift", "let a = 1\n")
        self.assertRefused(CHECK, "Sources/Door.swift:1")

    def test_ordinary_english_passes(self):
        self.plant("a.swift", "\n".join((
            "/// It takes five seconds and is no longer needed.",
            "/// A stand-in stands in for the value.",
            "if Task.isCancelled { return }",
            "func receiveMessages() {}",
            "/// Who-set-this finds who set a value.",
            'static let type = "minimise"',
            "case unauthorised",
            'code: "unauthorised"',
            "if path is None: return",
            "/// There is no daemon.",
            "/// A branch that ended as `cancelled` stays.",
            "",
        )))
        self.assertClean(CHECK)

    def test_a_listed_path_is_skipped_until_it_is_clean(self):
        self.plant("old/a.md", "It is told.\n")
        self.plant(NOT_YET, "old\n")
        self.assertClean(CHECK)
        self.plant("old/a.md", "It is reported.\n")
        self.assertRefused(CHECK, f"{NOT_YET}:1")


if __name__ == "__main__":
    unittest.main()
