import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("Edits in words")
struct EditWordsTests {
  @Test("are the words of the page")
  func likePage() throws {
    let file = repositoryRoot.appending(path: "Tests/Fixtures/edit-words.json")
    let cases = try JSONSlice(validating: Array(Data(contentsOf: file))).elements
    var count = 0
    for one in cases {
      var names: [Int64: String] = [:]
      if let known = one["names"] {
        for member in known.members { names[Int64(member.key) ?? -1] = member.value.string }
      }
      let words = EditWords(
        try EditScript(reading: try #require(one["edits"])).edits, names: names)
      let text = one["through"]?.int.map { words.minimizedText(through: $0) } ?? words.text
      #expect(text == one["words"]?.string)
      count += 1
    }
    #expect(count >= 21)
  }

  @Test("count what a header names, however much that is")
  func huge() {
    let edits = [Edit.drop(5...6), .drop(0...0), .drop(7...Int64.max)]
    #expect(EditWords(edits).minimizedText(through: .max).hasPrefix("4 of "))
    #expect(
      EditWords([.drop(5)]).minimizedText(through: .max)
        == "\(Int64.max - 1) of \(Int64.max) events kept")
    #expect(EditWords([.startAt(.max), .cut(0)]).minimizedText(through: 9) == "0 of 0 events kept")
  }

  @Test(
    "are in the tree of branches, escaped and cut, with a script of a newer version as it is",
    arguments: [
      (#"{"start":3,"edits":[{"drop":4}]}"#, "from 3  without 4"),
      (
        #"{"start":0,"through":9,"failure":"error != null","edits":[{"drop":[1,7]}]}"#,
        "from 0  2 of 9 events kept (8, 9)"
      ),
      (#"{"start":3,"edits":[{"swap":[4,5]}]}"#, #"from 3  [{"swap":[4,5]}]"#),
      (
        #"{"start":3,"edits":[{"append":"a\u001b\u202eb"}]}"#,
        #"from 3  a\u{1b}\u{202e}b at the end"#
      ),
      (
        #"{"start":3,"edits":[{"append":"\#(String(repeating: "x", count: 200))"}]}"#,
        "from 3  \(String(repeating: "x", count: 99))…"
      ),
    ])
  func tree(parent: String, text: String) throws {
    let id = "00000001-0000-4000-8000-000000000000"
    var summary = ToInspector.TimelineSummary()
    summary.header = try JSONSlice(
      validating: Array(#"{"timeline":"\#(id)","parent":\#(parent)}"#.utf8))
    let terminal = Terminal(
      output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false, columns: nil)
    #expect(BranchTree.line(of: summary, depth: 0, on: terminal) == "00000001  \(text)")
  }
}
