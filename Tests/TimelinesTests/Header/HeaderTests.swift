import JSONCore
import Testing

@testable import Timelines

@Suite("A header")
struct HeaderTests {
  private static let full = #"""
    {"timeline":"6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3","app":{"name":"Coins","version":"1.2","commit":"8f3c2d1","process":"coins","pid":4711,"host":"lab","platform":"linux","run":"r-1","later":1},"machine":{"type":"Coins.Coin","module":"Coins","name":"coin","kind":"reducible","make":"Coin()","later":2},"started":"2026-03-01T09:30:00.25Z","parent":{"timeline":"0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10","through":9,"start":4,"edits":[{"drop":4},{"insert":{"a":1},"before":7}],"name":"without","later":3},"forkedFrom":{"timeline":"0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10","seq":3},"schema":{"cases":[{"name":"flip"}]},"outputs":{"side":"ui","sync":"data"},"lanes":{"flip":"user"},"chart":{"states":[]},"recorder":"0.1","format":1,"future":{"x":[1, 2]},"zz":null}
    """#

  @Test("gives what its line says, and stays that line")
  func reads() throws {
    let header = try Header(reading: Self.full)
    #expect(header.timeline.text == sampleID)
    #expect(header.app.name == "Coins")
    #expect(header.app.version == "1.2")
    #expect(header.app.commit == "8f3c2d1")
    #expect(header.app.process == "coins")
    #expect(header.app.pid == 4711)
    #expect(header.app.host == "lab")
    #expect(header.app.platform == "linux")
    #expect(header.app.run == "r-1")
    #expect(header.machine.type == "Coins.Coin")
    #expect(header.machine.module == "Coins")
    #expect(header.machine.name == "coin")
    #expect(header.machine.kind == "reducible")
    #expect(header.machine.make == "Coin()")
    #expect(header.started.text == "2026-03-01T09:30:00.25Z")
    #expect(header.parent?.through == 9)
    #expect(header.parent?.start == 4)
    #expect(header.parent?.name == "without")
    #expect(
      header.parent?.edits
        == EditScript([.drop(4), .insert(event: try JSONSlice(#"{"a":1}"#), before: 7)]))
    #expect(header.forkedFrom?.seq == 3)
    #expect(header.schema?["cases"]?[0]?["name"]?.string == "flip")
    #expect(header.outputs == [.init("side", kind: "ui"), .init("sync", kind: "data")])
    #expect(header.lanes == [.init("flip", in: "user")])
    #expect(header.chart?["states"]?.kind == .array)
    #expect(header.recorder == "0.1")
    #expect(header.format == 1)
    #expect(header.unknown.keys == ["future", "zz"])
    #expect(header.unknown["future"]?["x"]?[1]?.int == 2)
    #expect(header.line.text == Self.full)
  }

  @Test("is written with all its fields, unknown ones behind")
  func writes() throws {
    let header = try Header(reading: Self.full)
    #expect(String(decoding: header.fields.line, as: UTF8.self) == Self.full)
    var fields = header.fields
    fields.parent = nil
    fields.app.name = "Other \"app\""
    let written = try Header(fields)
    #expect(written.parent == nil)
    #expect(written.app.name == "Other \"app\"")
    #expect(written.unknown.keys == ["future", "zz"])
  }

  @Test("needs no more than names, start and format")
  func smallest() throws {
    let header = try sampleHeader()
    #expect(header.outputs.isEmpty && header.lanes.isEmpty && header.parent == nil)
    #expect(String(decoding: header.fields.line, as: UTF8.self) == sampleHeaderLine)
  }

  @Test("of a newer format is refused with a sentence, whatever else it holds")
  func newerFormat() throws {
    let line = #"{"format":2,"timeline":{"shape":"new"}}"#
    let error = #expect(throws: HeaderError.self) { try Header(reading: line) }
    #expect(error?.reason == .newerFormat(2))
    #expect(
      error?.description
        == "the timeline has format 2, and this build reads up to 1; to fix, use a newer version")
  }

  @Test(
    "is refused with key and byte",
    arguments: [
      ("", .json(.truncated), nil, 0),
      ("[]", .notAnObject, nil, 0),
      ("{\"a\":1,\n\"b\":2}", .lineBreak, nil, 7),
      ("{}", .missing, "format", 0),
      (#"{"format":0}"#, .expected("an integer from 1 on"), "format", 10),
      (#"{"format":"1"}"#, .expected("an integer from 1 on"), "format", 10),
      (#"{"format":1}"#, .missing, "timeline", 0),
      (#"{"format":1,"timeline":"x"}"#, .expected("a UUID"), "timeline", 23),
      (#"{"format":1,"timeline":"\#(sampleID)"}"#, .missing, "app", 0),
      (
        #"{"format":1,"timeline":"\#(sampleID)","app":[]}"#, .expected("an object"), "app", 68
      ),
      (#"{"format":1,"timeline":"\#(sampleID)","app":{}}"#, .missing, "app.name", 68),
      (
        #"{"format":1,"timeline":"\#(sampleID)","app":{"name":7}}"#, .expected("a string"),
        "app.name", 76
      ),
      (
        #"{"format":1,"timeline":"\#(sampleID)","app":{"name":"","pid":-1}}"#,
        .expected("an integer from 0 on"), "app.pid", 85
      ),
    ] as [(String, HeaderError.Reason, String?, Int)])
  func refused(line: String, reason: HeaderError.Reason, key: String?, offset: Int) {
    #expect(throws: HeaderError(reason, key: key, at: offset)) { try Header(reading: line) }
  }

  @Test(
    "is refused for what is wrong deeper inside",
    arguments: [
      (#""started":"yesterday""#, "started"), (#""parent":{"timeline":"x"}"#, "parent.timeline"),
      (#""parent":{"timeline":"\#(sampleID)","through":1,"start":0,"edits":[{}]}"#, "parent.edits"),
      (#""outputs":{"a":1}"#, "outputs"), (#""lanes":[]"#, "lanes"),
      (#""forkedFrom":{"timeline":"\#(sampleID)"}"#, "forkedFrom.seq"),
      (#""recorder":1"#, "recorder"),
    ])
  func refusedInside(member: String, key: String) {
    let base = sampleHeaderLine.dropLast()
    let line =
      key == "started"
      ? sampleHeaderLine.replacing(#""started":"2026-03-01T09:30:00Z""#, with: member)
      : base + "," + member + "}"
    let error = #expect(throws: HeaderError.self) { try Header(reading: String(line)) }
    #expect(error?.key == key)
  }

  @Test("that names itself as its parent is refused where it comes in, and read where it is stored")
  func ownParent() throws {
    let line =
      sampleHeaderLine.dropLast()
      + #","parent":{"timeline":"\#(sampleID)","through":1,"start":0,"edits":[]}}"#
    let slice = try JSONSlice(validating: Array(line.utf8))
    #expect(try Header(reading: slice).parent?.through == 1)
    let error = #expect(throws: HeaderError.self) { try Header(receiving: slice) }
    #expect(error?.description == "the header names its own timeline as the parent")
    var reader = TimelineFileReader()
    #expect(throws: TimelineFileError.self) { try reader.read(Array((line + "\n").utf8)) { _ in } }
  }
}
