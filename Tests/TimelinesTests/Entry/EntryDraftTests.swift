import JSONCore
import Testing

@testable import Timelines

@Suite("A draft")
struct EntryDraftTests {
  private static let other = "0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10"

  @Test("writes its keys in the order of the table, and none that has nothing to say")
  func order() throws {
    var draft = EntryDraft(seq: 7, t: 9)
    #expect(String(decoding: draft.line, as: UTF8.self) == #"{"seq":7,"t":9}"#)
    draft.omitted = 5
    draft.redacted = [Redaction(Pointer(tokens: ["state", "a/b", "~"]), hash: "h")]
    draft.was = 3
    draft.error = "say \"no\"\n\u{1}é"
    draft.isJump = true
    draft.restored = EntryReference(timeline: try #require(TimelineID(Self.other)), seq: 2)
    draft.gap = Gap(lost: 2, why: "slow")
    draft.at = "A.swift:1"
    draft.origin = .loop("l")
    draft.cause = .here(6)
    draft.ns = 4
    draft.outputs = Array("[]".utf8)[...]
    draft.patch = Array("[]".utf8)[...]
    draft.outputState = Array("{}".utf8)[...]
    draft.state = Array("x1y".utf8)[1...1]
    draft.event = Array(#""e""#.utf8)[...]
    let expected = #"""
      {"seq":7,"t":9,"event":"e","state":1,"outputState":{},"patch":[],"outputs":[],"ns":4,"cause":6,"origin":"loop:l","at":"A.swift:1","gap":{"lost":2,"why":"slow"},"restored":{"timeline":"\#(Self.other)","seq":2},"jump":true,"error":"say \"no\"\n\u0001é","was":3,"redacted":{"/state/a~1b/~0":"h"},"omitted":5}
      """#
    #expect(String(decoding: draft.line, as: UTF8.self) == expected)
  }

  @Test("appends behind what is there, and reads back as the entry it is")
  func appends() throws {
    var draft = EntryDraft(seq: .max, t: 0)
    draft.event = Array(#"{"a":1}"#.utf8)[...]
    draft.cause = .elsewhere(EntryReference(timeline: try #require(TimelineID(Self.other)), seq: 0))
    var batch = Array("first\n".utf8)
    draft.write(to: &batch)
    #expect(batch.starts(with: Array("first\n{".utf8)))
    let entry = try draft.entry()
    #expect(Array(entry.line.bytes) == Array(batch.dropFirst(6)))
    #expect(EntryDraft(entry) == draft)
    #expect(entry.cause == draft.cause)
  }

  @Test("keeps event, time, cause, origin and place when it is thinned")
  func thins() throws {
    let entry = try Entry(
      reading: #"""
        {"seq":3,"t":4,"event":"x","state":1,"outputState":{},"patch":[],"outputs":[],"ns":5,"cause":1,"origin":"app","at":"f:1"}
        """#)
    var draft = EntryDraft(entry)
    draft.thin()
    let thinned = try draft.entry()
    #expect(thinned.isThinned)
    #expect(
      thinned.line.text
        == #"{"seq":3,"t":4,"event":"x","ns":5,"cause":1,"origin":"app","at":"f:1"}"#)
  }

  @Test("is checked as any line when it becomes an entry")
  func checked() {
    var draft = EntryDraft(seq: 0, t: 4)
    draft.event = Array("1".utf8)[...]
    #expect(throws: EntryError(.notInEntryZero, key: "event", seq: 0, at: 23)) {
      try draft.entry()
    }
  }
}
