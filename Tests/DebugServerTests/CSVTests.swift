import JSONCore
import Testing
import Timelines

@testable import DebugServer

@Suite("Entries as CSV")
struct CSVTests {
  @Test(
    "recorded text is never a formula",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\tx", "'\tx"), ("=HYPERLINK(\"http://x\",\"y\")", #""'=HYPERLINK(""http://x"",""y"")""#),
      ("\r=1", "'\\u{d}'=1"), ("plain", "plain"), ("a=1", "a=1"), ("", ""),
      ("a,\"b\"", #""a,""b""""#),
    ])
  func guardsFormulas(text: String, cell: String) {
    #expect(CSV.cell(text) == cell)
  }

  @Test(
    "a cell that starts inside text is not a formula either",
    arguments: [
      ("a;=1+1", "a;'=1+1"), ("a\t=1", "a\t'=1"), ("a,=1", "\"a,'=1\""), ("a|@x", "a|'@x"),
      (";=1", ";'=1"), ("a; =1", "a;' =1"), ("a;\u{A0}=1", "a;'\u{A0}=1"),
      ("a\n=1", "\"a\n'=1\""), (";;-1", ";;'-1"), ("a;\"=1;\"", "\"a;'\"\"=1;\"\"\""),
      ("a;b=1", "a;b=1"), ("a;", "a;"),
    ])
  func guardsInnerCells(text: String, cell: String) {
    #expect(CSV.cell(text) == cell)
  }

  @Test(
    "wide signs are signs, and what readers skip does not hide one",
    arguments: [
      "＝1", "＋1", "－1", "＠A1", "﹦1", "\u{2212}1", " =1", "\u{A0}=1", "\u{FEFF}=1", "\u{B}=1",
      "\u{0}=1", "\u{200B}＝1", "\u{3000}=1", "\u{1F} \u{FEFF}@A1",
    ])
  func guardsHiddenSigns(text: String) {
    #expect(CSV.cell(text) == "'" + PlainText.escaping(text))
  }

  @Test("no cell steers a terminal, whether its text is recorded or in JSON")
  func guardsTerminals() throws {
    #expect(CSV.cell("\u{1B}[31m\u{7}\u{9B}\u{202E}x") == #"\u{1b}[31m\u{7}\u{9b}\u{202e}x"#)
    #expect(CSV.cell("a\tb\nc") == "\"a\tb\nc\"")
    let entry = try Entry(
      reading: #"{"seq":0,"t":0,"state":{"a":["\#u{9B}\#u{202E}"],"b":"\u001b"}}"#)
    let snapshot = try #require(Snapshot(keyframe: entry))
    let row = CSV.row(
      entry, .known(snapshot), [try Pointer("/state/a"), try Pointer("/state/b")])
    #expect(
      String(decoding: row, as: UTF8.self)
        == #"0,0,,,,"[""\u009b\u202e""]",\u{1b}"# + "\r\n")
  }

  @Test("a quote is doubled, whatever follows it")
  func doublesAccentedQuotes() {
    #expect(CSV.cell("\"\u{301},=1") == "\"\"\"\u{301},'=1\"")
    #expect(CSV.cell("\"\u{200D}\",x") == "\"\"\"\\u{200d}\"\",x\"")
  }

  @Test(
    "JSON in a cell stays the same value",
    arguments: [
      (#"{"a":-1,"b":[1,-2, -3]}"#, #"{"a":-1,"b":[1,-2, -3]}"#),
      (#"{"a":"x;=1"}"#, #"{"a":"x;\u003d1"}"#), (#"["a","=1"]"#, #"["a","\u003d1"]"#),
      (#"{"a":";-1"}"#, #"{"a":";\u002d1"}"#), (#"{"a":"x; ＝1"}"#, #"{"a":"x; \uff1d1"}"#),
      ("-5", "-5"),
      (#"{"a":1e+5}"#, #"{"a":1e+5}"#), ("[\t-5]", "[\t-5]"),
    ])
  func keepsJSON(text: String, guarded: String) throws {
    #expect(CSVGuard.json(text) == guarded)
    #expect(try JSON(parsing: Array(guarded.utf8)) == JSON(parsing: Array(text.utf8)))
  }

  @Test("numbers stay numbers, and text in events, names and values is guarded")
  func rows() throws {
    let entry = try Entry(
      reading: Array(
        #"{"seq":1,"t":5,"event":{"=cmd":{}},"state":{"n":-3,"s":"=A1"},"error":"@x"}"#.utf8))
    let moment = try #require(Snapshot(keyframe: entry).map(Moment.known))
    let paths = [try Pointer("/state/n"), try Pointer("/state/s")]
    let row = String(decoding: CSV.row(entry, moment, paths), as: UTF8.self)
    #expect(row == "1,5,'=cmd,\"{\"\"=cmd\"\":{}}\",'@x,-3,'=A1\r\n")
    #expect(String(decoding: CSV.head(paths), as: UTF8.self).hasSuffix(",/state/n,/state/s\r\n"))
  }
}
