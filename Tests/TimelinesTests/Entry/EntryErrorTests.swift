import JSONCore
import Testing

@testable import Timelines

@Suite("An invalid entry")
struct EntryErrorTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var line: String
    var reason: EntryError.Reason
    var key: String?
    var seq: Int64?
    var offset: Int
    var testDescription: String { line }

    init(
      _ line: String, _ reason: EntryError.Reason, _ key: String? = nil, seq: Int64? = nil,
      at offset: Int
    ) {
      (self.line, self.reason, self.key, self.seq, self.offset) = (line, reason, key, seq, offset)
    }
  }

  private static let count = "an integer from 0 to 9223372036854775807"
  private static let cause = "a seq or \"<timeline>:<seq>\""
  private static let gap = "an object with 'lost', an integer from 1 on, and 'why', a string"
  private static let restored = "an object with 'timeline', a UUID, and 'seq', an integer from 0 on"

  static let table: [Bad] = [
    // No JSON, no object, no single line.
    Bad("", .json(.truncated), at: 0),
    Bad(#"{"seq":1,"t":2"#, .json(.truncated), at: 14),
    Bad(#"{"seq":1,"seq":1}"#, .json(.duplicateKey("seq")), at: 9),
    Bad("[]", .notAnObject, at: 0),
    Bad("  7", .notAnObject, at: 0),
    Bad("{\"seq\":1,\n\"t\":2}", .lineBreak, at: 9),
    Bad("{\"seq\":1,\r\"t\":2}", .lineBreak, at: 9),
    // Numbers.
    Bad("{}", .missing, "seq", at: 0),
    Bad(#"{"seq":-1,"t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":1.5,"t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":-0,"t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":"1","t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":null,"t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":9223372036854775808,"t":0}"#, .expected(count), "seq", at: 7),
    Bad(#"{"seq":1}"#, .missing, "t", seq: 1, at: 0),
    Bad(#"{"seq":1,"t":-3,"event":1}"#, .expected(count), "t", seq: 1, at: 13),
    Bad(#"{"seq":1,"t":3,"event":1,"ns":-3}"#, .expected(count), "ns", seq: 1, at: 30),
    Bad(#"{"seq":1,"t":3,"event":1,"was":true}"#, .expected(count), "was", seq: 1, at: 31),
    Bad(#"{"seq":1,"t":3,"event":1,"omitted":{}}"#, .expected(count), "omitted", seq: 1, at: 35),
    // Strings.
    Bad(#"{"seq":1,"t":3,"event":1,"origin":5}"#, .expected("a string"), "origin", seq: 1, at: 34),
    Bad(#"{"seq":1,"t":3,"event":1,"at":null}"#, .expected("a string"), "at", seq: 1, at: 30),
    Bad(#"{"seq":1,"t":3,"event":1,"error":[]}"#, .expected("a string"), "error", seq: 1, at: 33),
    // Keys that require or exclude one another.
    Bad(#"{"seq":1,"t":3}"#, .missing, "event", seq: 1, at: 0),
    Bad(#"{"seq":0,"t":3,"event":"x"}"#, .notInEntryZero, "event", seq: 0, at: 23),
    Bad(#"{"seq":0,"t":3,"patch":[]}"#, .needs("state"), "patch", seq: 0, at: 23),
    Bad(#"{"seq":1,"t":3,"event":1,"outputs":[]}"#, .needs("patch"), "outputs", seq: 1, at: 35),
    Bad(
      #"{"seq":1,"t":3,"event":1,"outputState":{}}"#, .needs("state"), "outputState", seq: 1,
      at: 39),
    Bad(
      #"{"seq":1,"t":3,"event":1,"state":{},"omitted":9}"#, .excludes("state"), "omitted", seq: 1,
      at: 46),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[],"omitted":9}"#, .excludes("patch"), "omitted", seq: 1,
      at: 46),
    Bad(
      #"{"seq":1,"t":3,"event":1,"state":{},"jump":true}"#, .excludes("jump"), "event", seq: 1,
      at: 23),
    Bad(#"{"seq":1,"t":3,"jump":true}"#, .needs("state"), "jump", seq: 1, at: 22),
    Bad(#"{"seq":1,"t":3,"state":1,"jump":false}"#, .expected("true"), "jump", seq: 1, at: 32),
    Bad(
      #"{"seq":1,"t":3,"restored":{"timeline":"\#(sampleID)","seq":4}}"#, .needs("state"),
      "restored", seq: 1, at: 26),
    Bad(
      #"{"seq":1,"t":3,"state":1,"restored":{"timeline":"\#(sampleID)","seq":4},"jump":true}"#,
      .excludes("restored"), "jump", seq: 1, at: 103),
    // Values with a form of their own.
    Bad(
      #"{"seq":1,"t":3,"state":1,"outputState":[]}"#, .expected("an object"), "outputState",
      seq: 1, at: 39),
    Bad(#"{"seq":1,"t":3,"event":1,"cause":1}"#, .causeNotEarlier, "cause", seq: 1, at: 33),
    Bad(#"{"seq":1,"t":3,"event":1,"cause":-1}"#, .causeNotEarlier, "cause", seq: 1, at: 33),
    Bad(#"{"seq":1,"t":3,"event":1,"cause":"x:1"}"#, .expected(cause), "cause", seq: 1, at: 33),
    Bad(
      #"{"seq":1,"t":3,"event":1,"cause":"\#(sampleID):01"}"#, .expected(cause), "cause", seq: 1,
      at: 33),
    Bad(#"{"seq":1,"t":3,"event":1,"gap":3}"#, .expected(gap), "gap", seq: 1, at: 31),
    Bad(
      #"{"seq":1,"t":3,"event":1,"gap":{"lost":0,"why":""}}"#, .expected(gap), "gap", seq: 1,
      at: 31),
    Bad(#"{"seq":1,"t":3,"event":1,"gap":{"lost":1}}"#, .expected(gap), "gap", seq: 1, at: 31),
    Bad(
      #"{"seq":1,"t":3,"event":1,"gap":{"lost":2,"why":""}}"#, .lostTooMany, "gap", seq: 1,
      at: 31),
    Bad(
      #"{"seq":1,"t":3,"state":1,"restored":{"timeline":"x","seq":4}}"#, .expected(restored),
      "restored", seq: 1, at: 36),
    Bad(
      #"{"seq":1,"t":3,"state":1,"restored":{"timeline":"\#(sampleID)","seq":-4}}"#,
      .expected(restored), "restored", seq: 1, at: 36),
    Bad(
      #"{"seq":1,"t":3,"event":1,"redacted":["/a"]}"#,
      .expected("an object with a string for each pointer into event, state, outputs or error"),
      "redacted", seq: 1, at: 36),
    Bad(
      #"{"seq":1,"t":3,"event":1,"redacted":{"a":""}}"#,
      .expected("an object with a string for each pointer into event, state, outputs or error"),
      "redacted", seq: 1, at: 37),
    Bad(
      #"{"seq":1,"t":3,"event":1,"redacted":{"":""}}"#,
      .expected("an object with a string for each pointer into event, state, outputs or error"),
      "redacted", seq: 1, at: 37),
    Bad(
      #"{"seq":1,"t":3,"event":1,"redacted":{"/at":""}}"#,
      .expected("an object with a string for each pointer into event, state, outputs or error"),
      "redacted", seq: 1, at: 37),
    Bad(
      #"{"seq":1,"t":3,"event":1,"redacted":{"/state":1}}"#,
      .expected("an object with a string for each pointer into event, state, outputs or error"),
      "redacted", seq: 1, at: 46),
    // Patches.
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":{}}"#, .expected("an array of operations"), "patch",
      seq: 1, at: 33),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[7]}"#,
      .expected("an array of objects with 'op', a string"), "patch", seq: 1, at: 34),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[{"op":"move","from":"/a","path":"/b"}]}"#,
      .operation("move"), "patch", seq: 1, at: 34),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[],"outputs":[{"op":"test","path":"","value":1}]}"#,
      .operation("test"), "outputs", seq: 1, at: 47),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[{"op":"remove","path":"a"}]}"#,
      .expected("an array of operations whose 'path' is a pointer"), "patch", seq: 1, at: 34),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[{"op":"remove","path":"/a~2"}]}"#,
      .expected("an array of operations whose 'path' is a pointer"), "patch", seq: 1, at: 34),
    Bad(
      #"{"seq":1,"t":3,"event":1,"patch":[{"op":"add","path":"/a"}]}"#,
      .expected("an array of operations with a 'value' to add"), "patch", seq: 1, at: 34),
  ]

  @Test("is refused with key, seq and byte", arguments: table)
  func refused(_ bad: Bad) {
    #expect(
      throws: EntryError(bad.reason, key: bad.key, seq: bad.seq, at: bad.offset)
    ) {
      try Entry(reading: bad.line)
    }
  }

  @Test("counts the byte from the start of the entry, in a message too")
  func offsetInMessage() throws {
    let message = try JSONSlice(#"[[], {"seq":1,"t":-3,"event":1}]"#)
    let slice = try #require(message[1])
    #expect(throws: EntryError(.expected(Self.count), key: "t", seq: 1, at: 13)) {
      try Entry(reading: slice)
    }
  }

  @Test("has a message")
  func sentence() {
    let error = EntryError(.needs("state"), key: "jump", seq: 4, at: 22)
    #expect("\(error)" == "entry 4: 'jump' requires 'state' (byte 22)")
  }

  @Test(
    "is not one that only looks odd",
    arguments: [
      #"{"seq":1,"t":0,"event":null}"#, #"{"seq":1e0,"t":10.0,"event":1}"#,
      #"{"seq":0,"t":0}"#, #"{"seq":0,"t":0,"state":1,"patch":[],"outputs":[]}"#,
      #"{"seq":1,"t":0,"event":1,"patch":[{"op":"remove","path":"","extra":1}]}"#,
      #"{"seq":1,"t":0,"event":1,"patch":[{"op":"remove","path":"\u002fa~0~1"}]}"#,
      #"{"seq":1,"t":0,"event":1,"origin":"new word"}"#,
      #"{"seq":5,"t":0,"state":1,"jump":true,"cause":3,"gap":{"lost":2,"why":"x","more":1}}"#,
    ])
  func accepted(line: String) throws {
    _ = try Entry(reading: line)
  }
}
