import JSONCore
import Testing
import Timelines

@Suite("Timelines as JSON documents")
struct TimelineDocumentTests {
  private static let header = """
    {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"A"},"machine":\
    {"type":"T","name":"t"},"started":"2026-05-01T08:00:00Z","format":1}
    """
  private static let entries = [
    #"{"seq":0,"t":0,"state":{"a":[1, 2]}}"#, #"{"seq":1,"t":1,"event":"x","patch":[]}"#,
  ]

  @Test("hold the recorded bytes, a line an entry, and give them back")
  func roundTrip() throws {
    let header = try Header(reading: Self.header)
    let document = TimelineDocument.bytes(header: header, Self.entries.map { Array($0.utf8) })
    let text = String(decoding: document, as: UTF8.self)
    #expect(text.split(separator: "\n").count == 4)
    #expect(try JSON(parsing: document)["entries"]?.array?.count == 2)
    let lines = try #require(try TimelineDocument.lines(of: document))
    let whole = [Self.header] + Self.entries
    #expect(String(decoding: lines, as: UTF8.self) == whole.joined(separator: "\n") + "\n")
    #expect(TimelineDocument.mayBegin(with: document.prefix(40)))
    let empty = TimelineDocument.bytes(header: header, [[UInt8]]())
    #expect(try TimelineDocument.lines(of: empty) == Array((Self.header + "\n").utf8))
  }

  @Test("can be read after a tool has reformatted them")
  func laidOut() throws {
    let text = "{\n \"header\": {\n},\r\n \"entries\": [\n {\n \"seq\":\t0}\n]}"
    let lines = try #require(try TimelineDocument.lines(of: Array(text.utf8)))
    #expect(lines.split(separator: 0x0A).count == 2 && !lines.contains(0x0D))
    #expect(TimelineDocument.mayBegin(with: text.utf8))
  }

  @Test(
    "are nothing else",
    arguments: ["{}", "[]", #"{"header":{}}"#, #"{"header":{},"entries":{}}"#, #"{"entries":[]}"#])
  func others(text: String) throws {
    #expect(try TimelineDocument.lines(of: Array(text.utf8)) == nil)
    #expect(text.hasPrefix(#"{"header":{"#) == TimelineDocument.mayBegin(with: text.utf8))
  }
}
