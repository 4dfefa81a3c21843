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
      ("\r=1", "\"'\r=1\""), ("plain", "plain"), ("a=1", "a=1"), ("", ""),
      ("a,\"b\"", #""a,""b""""#),
    ])
  func guardsFormulas(text: String, cell: String) {
    #expect(CSV.cell(text) == cell)
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
