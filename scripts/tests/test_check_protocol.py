import os
import shutil
import subprocess
import unittest

from planted import SCRIPTS, Planted

CHECK = "check-protocol"
PAGE = "docs/protocol.md"
FIXTURES = "docs/protocol/messages/"

SET = """/// Messages.
package enum {name}: MessageSet {{
{cases}
}}
"""
HELLO = """extension FromRecorder {
  /// Opens the connection.
  ///
  /// It is the first message. Others follow.
  package struct Hello: Message {
    package static let type = "hello"
    /// The version | of the protocol.
    package var version = ProtocolVersion.current
    /// The states of
    /// earlier entries.
    package var remembered: [Remembered]?
    /// Whether it parks.
    package var parks = false
    /// Where hosts run.
    package var place = Place.process
    private var unsent = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("remembered", &remembered)
      try fields.flag("parks", &parks)
      try fields.field("place", &place)
    }
  }

  /// A remembered state.
  package struct Remembered: MessagePart {
    /// Its state.
    package var state = JSONSlice.null

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("state", &state)
    }
  }
}

/// Where hosts run.
package enum Place: String, MessageWord {
  /// In a process.
  case process
  /// In the app.
  case inApp = "in-app"
}
"""
FORK = """/// Reports a failure.
package struct Failure: Message {
  package static let type = "error"
  /// Why.
  package var code = Place.process

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("code", &code)
  }
}
extension FromInspector {
  /// Makes a branch.
  package struct Fork: Message {
    package static let type = "fork"
    package static let role = MessageRole.request

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }
}
extension FromInspector.Fork: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .change }
}
extension ToInspector {
  /// Answers a request.
  package struct Done: Message {
    package static let type = "done"
    package static let role = MessageRole.reply

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }
}
/// What a session may do.
package enum Capability: String, MessageWord {
  /// Changes.
  case change
}
"""
ENTRY = """enum EntryKey: Int, CaseIterable {
  /// The number.
  case seq
  /// A jump.
  case jump
}
public struct EntryDraft: Hashable {
  public var seq: Int64
  public var isJump = false
}
public struct Header: Sendable {
  /// The app.
  public struct App: Sendable {
    /// Its name.
    public var name: String
    /// Its lanes.
    public var lanes: [Lane]
    /// Whether it is old.
    public var isOld = false
  }
}
extension Header.App {
  public var line: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("name", name)
      if !lanes.isEmpty {
        text.member("lanes") { text in for lane in lanes { text.member(lane.event, lane.lane) } }
      }
      if isOld { text.member("old", raw: "true".utf8) }
    }
    return text.bytes
  }
}
"""
LIMITS = """/// Limits.
package struct ProtocolLimits {
  /// The bytes of a message.
  ///
  /// A keyframe: it fits. Default: 16 MiB.
  package var message = 16 << 20
  /// The entries of a batch. Default: 1,000.
  package var entries: Int64 = 1_000
}
"""
REGIONS = ["entry", "members Header.App", "limits ProtocolLimits.message ProtocolLimits", "messages FromRecorder", "messages ToRecorder", "messages FromInspector",
           "messages ToInspector", "keys Failure", "words Capability", "capabilities"]


class Protocol(Planted):
    def setUp(self):
        super().setUp()
        self.plant_tree()

    def plant_tree(self):
        for folder in os.listdir(self.root):
            shutil.rmtree(os.path.join(self.root, folder))
        for name, cases in (("FromRecorder", "  case hello(Hello)\n  case error(Failure)"),
                            ("ToRecorder", ""), ("FromInspector", "  case fork(Fork)"),
                            ("ToInspector", "  case done(Done)")):
            self.plant(f"Sources/Wire/{name}.swift", SET.format(name=name, cases=cases))
        self.plant("Sources/Wire/Hello.swift", HELLO)
        self.plant("Sources/Wire/Fork.swift", FORK)
        self.plant("Sources/Timelines/Entry.swift", ENTRY)
        self.plant("Sources/Wire/ProtocolLimits.swift", LIMITS)
        for name in ("from-recorder.hello", "from-recorder.error", "from-inspector.fork",
                     "to-inspector.done"):
            self.plant(f"{FIXTURES}{name}.json", f'{{"type":"{name}"}}\n')
        self.plant(PAGE, "# The protocol\n\n" + "".join(
            f"## About {region}\n\n<!-- generated: {region} -->\n<!-- end of generated -->\n\n"
            for region in REGIONS) + "The end.\n")

    def write(self):
        return subprocess.run([os.path.join(SCRIPTS, "docs"), "--tables", "--root", self.root],
                              capture_output=True, text=True)

    def page(self):
        with open(os.path.join(self.root, PAGE), encoding="utf-8") as file:
            return file.read()

    def line(self, region):
        return self.page().splitlines().index(f"<!-- generated: {region} -->") + 1

    def test_the_written_page_has_every_key_and_word(self):
        self.assertEqual(self.write().returncode, 0)
        self.assertClean(CHECK)
        page = self.page()
        for text in (
            "### `hello`\n\nOpens the connection.\n\nIt is the first message.\nOthers follow.\n\n| key |",
            "| `version` | version | always | The version \\| of the protocol. |\n",
            "| `remembered` | array of [Remembered](#remembered) | optional | "
            "The states of earlier entries. |\n",
            "| `parks` | boolean | default `false` | Whether it parks. |\n",
            "| `place` | [`process`, `in-app`](#place) | always | Where hosts run. |\n",
            "<!-- fixture: from-recorder.hello -->\n```json\n{\"type\":\"from-recorder.hello\"}\n```\n",
            "#### Remembered\n\nA remembered state.\n\n| key |",
            "| `state` | any JSON | always | Its state. |\n",
            "#### Place\n\nWhere hosts run.\n\n| word |", "| `in-app` | In the app. |\n",
            "### `error`\n\nSee [About keys failure](#about-keys-failure).\n\n<!-- fixture",
            "| `code` | [`process`, `in-app`](#place) | always | Why. |\n",
            "A request, with `id`; the reply is `done`. Requires *change*.\n\nNo keys of its own.",
            "A reply, with `re`.", "| `change` | Changes. |\n",
            "| `seq` | whole number | always | The number. |\n",
            "| `jump` | `true` | optional | A jump. |\n", "| `old` | `true` | optional | Whether it is old. |",
            "| `lanes` | object from names to strings | optional | Its lanes. |\n",
            "| why |\n|---|---|---|\n| The bytes of a message | 16 MiB | A keyframe: it fits. |\n"
            "| The bytes of a message |", "| The entries of a batch | 1,000 | |\n",
            "*change* is required for `fork`; *look* for everything else.", "\n\nThe end.\n",
        ):
            self.assertIn(text, page)
        self.assertNotIn("unsent", page)

    def test_writing_twice_changes_nothing(self):
        self.write()
        page = self.page()
        ran = self.write()
        self.assertEqual((ran.stdout, ran.stderr, self.page()), ("", "", page))

    def test_a_region_that_differs_from_the_sources_is_refused(self):
        self.write()
        for path, text, old, new, region in (
            ("Sources/Wire/Hello.swift", HELLO, "var parks = false", "var parks: String?",
             "messages FromRecorder"),
            ("Sources/Wire/Hello.swift", HELLO, "Whether it parks.", "Whether it rests.",
             "messages FromRecorder"),
            ("Sources/Wire/Hello.swift", HELLO, '      try fields.flag("parks", &parks)\n', "",
             "messages FromRecorder"),
            ("Sources/Wire/Hello.swift", HELLO, '= "in-app"', '= "app"', "messages FromRecorder"),
            ("Sources/Wire/Fork.swift", FORK, "/// Why.", "/// The cause.", "keys Failure"),
            ("Sources/Wire/Fork.swift", FORK, "/// Changes.", "/// Everything.", "words Capability"),
            ("Sources/Timelines/Entry.swift", ENTRY, "/// A jump.", "/// A leap.", "entry"),
            ("Sources/Timelines/Entry.swift", ENTRY, "var name: String", "var name: String?",
             "members Header.App"),
            ("Sources/Timelines/Entry.swift", ENTRY, '      text.member("name", name)\n', "",
             "members Header.App"),
            ("Sources/Wire/ProtocolLimits.swift", LIMITS, "it fits", "it is small",
             "limits ProtocolLimits.message ProtocolLimits"),
            (f"{FIXTURES}to-inspector.done.json", "x\n", "x", "{}", "messages ToInspector"),
            (PAGE, self.page(), "| Its state. |", "| Its old state. |", "messages FromRecorder"),
        ):
            with self.subTest(new=new):
                self.plant(path, text)
                self.write()
                self.plant(path, text.replace(old, new, 1))
                lines, status = self.check(CHECK)
                self.assertEqual(status, 1)
                self.assertIn(f"{PAGE}:{self.line(region)}: the region '{region}' differs from the "
                              "sources; to write it again, run: scripts/docs --tables", lines)
                self.plant(path, text)
                self.write()

    def test_a_changed_capability_is_refused_in_both_places(self):
        self.write()
        self.plant("Sources/Wire/Fork.swift", FORK.replace("{ .change }", "{ name == nil ? .change : .look }")
                   .replace("  package var capability", "  /// *change* without a name, which costs.\n"
                            "  package var capability"))
        self.assertRefused(CHECK, f"{PAGE}:{self.line('messages FromInspector')}",
                           f"{PAGE}:{self.line('capabilities')}")
        self.write()
        self.assertIn("Requires *change* without a name; otherwise *look*.", self.page())
        self.assertIn("*change* is required for `fork` without a name; *look*", self.page())

    def test_what_the_sources_lack_is_refused_where_it_is_missing(self):
        for path, text, old, new, place in (
            ("Sources/Wire/Hello.swift", HELLO, "    /// Whether it parks.\n", "",
             "Sources/Wire/Hello.swift:12"),
            ("Sources/Wire/Hello.swift", HELLO, "  /// A remembered state.\n", "",
             "Sources/Wire/Hello.swift:28"),
            ("Sources/Wire/Hello.swift", HELLO, "  /// In the app.\n", "",
             "Sources/Wire/Hello.swift:43"),
            ("Sources/Wire/Hello.swift", HELLO, 'flag("parks", &parks)', 'flag(\n"parks", &parks)',
             "Sources/Wire/Hello.swift:23"),
            ("Sources/Wire/Hello.swift", HELLO, "&parks", "&parked", "Sources/Wire/Hello.swift:23"),
            ("Sources/Wire/Hello.swift", HELLO, "var place = Place.process", "var place: Room?",
             "Sources/Wire/Hello.swift:15"),
            ("Sources/Timelines/Entry.swift", ENTRY, "    /// Its name.\n", "",
             "Sources/Timelines/Entry.swift:14"),
            ("Sources/Timelines/Entry.swift", ENTRY, "var isJump", "var hasJump",
             "Sources/Timelines/Entry.swift:5"),
            ("Sources/Timelines/Entry.swift", ENTRY, '"name", name', '"title", title',
             "Sources/Timelines/Entry.swift:13"),
            ("Sources/Wire/ProtocolLimits.swift", LIMITS, "= 1_000", "= 2_000",
             "Sources/Wire/ProtocolLimits.swift:8"),
            ("Sources/Wire/ProtocolLimits.swift", LIMITS, " Default: 1,000.", "",
             "Sources/Wire/ProtocolLimits.swift:8"),
            ("Sources/Wire/ToRecorder.swift", "", "", SET.format(
                name="ToRecorder", cases="  case gone(Gone)"), "Sources/Wire/ToRecorder.swift:3"),
            ("Sources/Wire/Lost.swift", "", "", "/// A lost one.\npackage struct Lost: Message {\n}\n",
             "Sources/Wire/Lost.swift:2"),
            (f"{FIXTURES}to-recorder.gone.json", "", "", "{}\n", f"{FIXTURES}to-recorder.gone.json:1"),
        ):
            with self.subTest(place=place):
                self.plant_tree()
                self.plant(path, text.replace(old, new, 1) if old else new)
                self.assertEqual(self.write().returncode, 1)
                self.assertRefused(CHECK, place)

    def test_a_message_without_a_fixture_is_refused(self):
        os.remove(os.path.join(self.root, f"{FIXTURES}to-inspector.done.json"))
        self.assertEqual(self.write().returncode, 1)
        self.assertRefused(CHECK, "Sources/Wire/Fork.swift:26")

    def test_a_page_without_the_region_of_a_set_is_refused(self):
        self.write()
        self.plant(PAGE, self.page().replace("generated: messages ToRecorder", "generated: tables"))
        lines, status = self.check(CHECK)
        self.assertEqual(status, 1)
        self.assertIn("docs/protocol.md:1: there is no region 'messages ToRecorder'", lines)
        self.assertIn("there is no kind of region 'tables'", "\n".join(lines))


if __name__ == "__main__":
    unittest.main()
