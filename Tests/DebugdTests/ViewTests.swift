import Foundation
import JSONCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("what commands show")
struct ViewTests {
  private let plain = Terminal(
    output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false, columns: nil)

  private func slice(_ text: String) throws -> JSONSlice {
    try JSONSlice(validating: Array(text.utf8))
  }

  @Test("amounts are for people")
  func amounts() {
    #expect(
      [0, 999, 1000, 1549, 99_949, 999_600, 12_345_678_901].map { Amounts.bytes($0) }
        == ["0 B", "999 B", "1.0 kB", "1.5 kB", "100 kB", "1.0 MB", "12 GB"])
    #expect(
      [0, 999, 1000, 10_004_211, -1234].map { Amounts.count($0) }
        == ["0", "999", "1,000", "10,004,211", "-1,234"])
    #expect(
      [0, 152_811, 59_999_999, 61_000_000, 3_723_000_000].map { Amounts.duration($0) }
        == ["0.000 s", "0.153 s", "60.000 s", "1:01", "1:02:03"])
    #expect(
      [1, 441, 999, 1_000, 52_811, 99_999, 100_000].map { Amounts.duration($0) }
        == ["1 µs", "441 µs", "999 µs", "1.0 ms", "52.8 ms", "100.0 ms", "0.100 s"])
    #expect(Amounts.duration(.max).contains(":"))
  }

  @Test("sizes and ages are read with their units")
  func units() {
    #expect(Amounts.bytes(reading: "20G") == 20_000_000_000)
    #expect(Amounts.bytes(reading: "512") == 512)
    #expect(Amounts.seconds(reading: "30d") == 2_592_000)
    for wrong in ["", "G", "-1", "1.5G", "1x", "99999999999999T"] {
      #expect(Amounts.bytes(reading: wrong) == nil)
    }
    for wrong in ["", "d", "5", "-1d", "9223372036854775807w"] {
      #expect(Amounts.seconds(reading: wrong) == nil)
    }
  }

  @Test("a row shows number, time, event, payload, and changes")
  func rows() throws {
    var rows = EntryRows(on: plain)
    #expect(
      try rows.line(of: slice(#"{"seq":0,"t":0}"#)) == "       0      0.000 s             start")
    let entry = try slice(
      #"{"seq":7,"t":1500,"event":{"typed":{"_0":"a\u001b[2J"}},"patch":[],"outputs":[{"op":"replace","path":"/side","value":1}],"error":"no"}"#
    )
    #expect(
      rows.line(of: entry)
        == #"       7       1.5 ms    +1.5 ms  typed  {"_0":"a\u001b[2J"}  error: no  → side"#)
  }

  @Test("of two long values that begin alike, what differs is shown")
  func pairs() {
    let text = String(repeating: "same ", count: 100)
    let (old, new) = PrettyJSON.pair(.string(text + "one"), .string(text + "two"), width: 60)
    #expect(old.hasSuffix("one\"") && new.hasSuffix("two\""))
    #expect(old.hasPrefix("…") && old.count <= 60 && new.count <= 60)
    let early = PrettyJSON.pair(.string("a" + text), .string("b" + text), width: 60)
    #expect(early.old.hasPrefix("\"a") && early.new.hasPrefix("\"b") && early.old.hasSuffix("…"))
    #expect(PrettyJSON.pair(1, 2, width: 60) == ("1", "2"))
  }

  @Test("JSON stays JSON, and cannot steer the terminal")
  func json() throws {
    let value = try JSON(parsing: #"{"a\u001b":["\u202e",{"n":9007199254740993}],"e":{},"l":[]}"#)
    let text = PrettyJSON.lines(value, on: plain)
    #expect(try JSON(parsing: text) == value)
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(PrettyJSON.line(value, width: 10).count == 10)
    let wide = JSON.array(Array(repeating: .string("xxxxxxxxxx"), count: 100_000))
    #expect(PrettyJSON.line(wide, width: 40).count == 40)
  }

  @Test("a patch shows what goes and what comes")
  func patches() throws {
    let patch = try slice(
      #"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"},{"op":"replace","path":"/c","value":[2]}]"#
    )
    #expect(PatchRows.lines(of: patch, on: plain) == ["+ /a  1", "- /b", "~ /c  [2]"])
  }

  @Test("a patch of everything is shown whole")
  func wholePatches() throws {
    let value = "{\"n\":\"\(String(repeating: "x", count: 300))\",\"last\":1}"
    let patch = try slice("[{\"op\":\"replace\",\"path\":\"\",\"value\":\(value)}]")
    let lines = PatchRows.lines(of: patch, on: plain)
    #expect(lines.first == "~ (whole value)" && lines.contains("  \"last\": 1"), "\(lines)")
    let short = try slice("[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"n\":1}}]")
    #expect(PatchRows.lines(of: short, on: plain) == ["~ (whole value)  {\"n\":1}"])
  }

  @Test("a patch of everything shows which members differ, where the old value is known")
  func memberDifferences() throws {
    let patch = try slice(
      #"[{"op":"replace","path":"","value":{"state":{"a/b":2,"l":[1,3],"n":null},"outputs":{}}}]"#)
    let old = try JSON(parsing: #"{"state":{"a/b":1,"l":[1,2],"gone":0},"outputs":{}}"#)
    #expect(
      PatchRows.lines(of: patch, replacing: [.root: old], on: plain)
        == [
          "~ /state/a~1b  1 → 2", "~ /state/l/1  2 → 3", "- /state/gone", "+ /state/n  null",
        ])
    let other = try slice(#"[{"op":"replace","path":"/state","value":[1]}]"#)
    #expect(
      PatchRows.lines(of: other, replacing: [Pointer(tokens: ["state"]): [1, 2]], on: plain)
        == ["~ /state  [1,2] → [1]"])
  }

  @Test("an index behind an added element names another one in the old value")
  func shiftedElements() throws {
    let patch = try slice(
      #"[{"op":"add","path":"/0","value":9},{"op":"replace","path":"/1","value":5}]"#)
    let old: [Pointer: JSON] = [Pointer(tokens: ["1"]): 7]
    #expect(
      PatchRows.lines(of: patch, replacing: old, on: plain) == ["+ /0  9", "~ /1  5"])
  }

  @Test("backward, the time since the line above is negative")
  func backward() throws {
    var rows = EntryRows(on: plain)
    for (t, since) in [
      (3_000_000, " "), (2_998_000, "-2.0 ms"), (2_997_999, "-1 µs"), (0, "-2.998 s"),
    ] {
      let line = rows.line(of: try slice("{\"seq\":1,\"t\":\(t),\"event\":\"flip\"}"))
      #expect(line.contains(since) && !line.contains("+"), "\(line)")
    }
  }

  @Test("one entry is an entry, several are entries")
  func oneEntry() {
    var answer = ToInspector.Compare()
    answer.equal = 1
    #expect(
      ProofRows.lines(of: answer, on: plain) == ["same  1 entry equal, compared with today's code"])
    answer.differing = 1
    #expect(ProofRows.lines(of: answer, on: plain) == ["1 entry equal, 1 differs"])
  }

  @Test("the least count is a bar, none is a blank")
  func bars() {
    #expect(OverviewRows.bars([0, 1, 500, 1000]) == " ▁▄█")
    #expect(OverviewRows.bars([0, 0]) == "  ")
  }

  @Test("a report in XML holds no character that XML forbids")
  func xmlCharacters() {
    #expect(JUnit.escaped(#"a <b> & "c" 'd'"#) == "a &lt;b&gt; &amp; &quot;c&quot; 'd'")
    // A reader takes bare white space in an attribute for blanks.
    #expect(JUnit.escaped("\t\n\r\r\n") == "&#9;&#10;&#13;&#13;&#10;")
    for text in ["\u{FFFE}", "\u{FFFF}"] { #expect(JUnit.escaped("a\(text)b") == "a\u{FFFD}b") }
    let hostile =
      Array(0x00...0x08 as ClosedRange<UInt32>) + [0x0B, 0x0C] + Array(0x0E...0x1F)
      + Array(0x7F...0x9F) + [0x200F, 0x2028, 0x202E, 0x2066, 0xFEFF]
    for scalar in hostile.compactMap(Unicode.Scalar.init) {
      let digits = String(scalar.value, radix: 16)
      #expect(JUnit.escaped("a\(scalar)b") == "a\\u{\(digits)}b")
    }
    let allowed = "\u{20}\u{D7FF}\u{E000}\u{FFFD}\u{10000}\u{10FFFF}"
    #expect(JUnit.escaped(allowed) == allowed)
    var report = JUnit()
    report.cases.append(
      JUnit.Case(name: "a\u{0}", seconds: 0, failure: "<\u{1}\u{FFFE}>\n\u{B}"))
    #expect(report.text.contains(#"name="a\u{0}""#))
    #expect(report.text.contains(#"message="&lt;\u{1}\#u{FFFD}&gt;""#))
    #expect(report.text.contains(#">&lt;\u{1}\#u{FFFD}&gt;&#10;\u{b}<"#))
  }

  private func summary(
    _ id: String, name: String = "coin", parent: String? = nil
  ) throws -> ToInspector.TimelineSummary {
    var header = JSON.Object()
    header["timeline"] = .string(id)
    header["machine"] = ["type": "T", "name": .string(name)]
    if let parent { header["parent"] = ["timeline": .string(parent)] }
    var summary = ToInspector.TimelineSummary()
    summary.header = try JSONSlice(validating: JSON.object(header).encoded())
    return summary
  }

  private func id(_ digit: Int) -> String { "0000000\(digit)-0000-4000-8000-000000000000" }

  @Test(
    "a tree of branches ends, whatever their headers name as parents",
    arguments: [[1: 1], [1: 2, 2: 1], [1: 2, 2: 3, 3: 1, 4: 3]])
  func branchesInCircles(parents: [Int: Int]) throws {
    let tree = BranchTree(try parents.map { try summary(id($0.key), parent: id($0.value)) })
    let root = try #require(TimelineID(id(1)))
    let rows = tree.rows(from: root).compactMap { $0.summary.header["timeline"]?.string }
    #expect(rows.first == id(1) && rows.sorted() == parents.keys.map(id).sorted())
  }

  @Test("names are cut where they are quoted or listed, also those of one character")
  func longNames() throws {
    let marks = "a" + String(repeating: "\u{301}", count: 5_000)
    #expect(marks.count == 1)
    #expect(Escaped.quoted(marks).unicodeScalars.count == 82)
    let lines = TimelineRows.lines([try summary(id(1), name: marks)], on: plain)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.unicodeScalars.count < 200 })
  }

  @Test("finished machines of one name in a run are one row, from three on")
  func folded() throws {
    let names = ["job 4", "coin", "job 3", "job", "job 2", "task", "task 2", "job 5", "2", "job x"]
    var all = try names.enumerated().map { try summary(id($0 % 10), name: $1) }
    for index in all.indices { all[index].entries = 2 }
    all[0].live = true
    func rows() -> [String] {
      TimelineFold.rows(all).map { row in
        let name = row.newest.header["machine"]?["name"]?.string ?? ""
        return row.name.map { "\(name): \($0) ×\(row.count), \(row.entries)" } ?? name
      }
    }
    #expect(
      rows() == ["job 4", "coin", "job 3: job ×4, 8", "task", "task 2", "2", "job x"])
    // Those that a person named, branched, or lost entries of stay in view.
    all[2].name = "the one"
    all[3].branches = 1
    #expect(
      rows() == ["job 4", "coin", "job 3", "job", "job 2", "task", "task 2", "job 5", "2", "job x"])
  }

  @Test("the newest run of an app is not folded with earlier ones")
  func foldedRuns() throws {
    var all: [ToInspector.TimelineSummary] = []
    for (index, run) in ["c", "b", "b", "a"].enumerated() {
      var summary = try summary(id(index))
      let header = """
        {"timeline":"\(id(index))","app":{"name":"A","run":"\(run)"},"machine":{"name":"coin"}}
        """
      summary.header = try JSONSlice(validating: Array(header.utf8))
      all.append(summary)
    }
    #expect(TimelineFold.rows(all).map(\.count) == [1, 3])
    #expect(TimelineFold.rows(Array(all.prefix(3))).map(\.count) == [1, 1, 1])
  }

  @Test("shells are offered names that mean themselves, and the ids of all")
  func words() throws {
    let harmless = ["coin", "App.Coin-2", "a/b:c@d+e_f", "0"]
    let hostile = [
      "", "-rf", "--data", "a b", "a\tb", "a\nb", "<({touch,/tmp/x})", ">(x)", "$(x)", "`x`", "a;b",
      "a&b", "a|b", "*", "a?", "[a]", "~", "{a,b}", "'a", "\"a", "a\\b", "a!b", "#a", "a=b", "%1",
      "^a", "a\u{202E}b", "\u{9B}31m", "größe", "a,b", "(a)", "a\u{7F}", "a\u{0}",
    ]
    let all = try (harmless + hostile).enumerated().map { index, name in
      try summary(id(index % 10), name: name)
    }
    let words = TimelineRows.words(all)
    #expect(words == harmless.sorted() + all.indices.map { id($0 % 10) })
  }

  @Test("JSON for programs is the same value, and steers no terminal")
  func escapedJSON() throws {
    let text = "a\u{7F}\u{85}\u{9B}31m\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0001}é漢👍"
    let value = JSON.array([.string(text), 1, ["\u{9B}": "\u{1B}"]])
    let bytes = Escaped.json(value.encoded())
    let line = String(decoding: bytes, as: UTF8.self)
    #expect(
      line
        == #"["a\u007f\u0085\u009b31m\u202e\u2066\u200b\ufeff\udb40\udc01é漢👍",1,{"\u009b":"\u001b"}]"#
    )
    #expect(try JSON(parsing: bytes) == value)
    let plain = Array(#"{"a":[1,"b"]}"#.utf8)
    #expect(Escaped.json(plain) == plain)
  }
}
