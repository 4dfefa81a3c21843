import Dispatch
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Replaying

@Suite("Replaying: entries")
struct EntryWriterTests {
  /// A value that sometimes cannot be encoded.
  private struct Fragile: Encodable {
    var number: Int
    struct Broken: Error {}
    func encode(to encoder: any Encoder) throws {
      if number == 13 { throw Broken() }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @Test(
    "any states and outputs, with thinned and lost entries, can be read back", arguments: 0..<12)
  func property(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var writer = EntryWriter<[String: [Int]]>(hasOutputs: true)
    var state: [String: [Int]] = [:]
    var expected: [Int64: (JSON, JSON)] = [:]
    var drafts: [EntryDraft] = []
    var lost: Int64 = 0
    for seq in Int64(0)..<80 {
      let key = "k\(Int.random(in: 0..<4, using: &generator))"
      state[key, default: []].append(Int.random(in: 0..<9, using: &generator))
      if generator.chance(0.2) { state[key] = nil }
      let outputs = state.sorted { $0.key < $1.key }.map { RecordedOutput($0.key, $0.value) }
      if seq > 0, generator.chance(0.05) {
        lost += 1
        writer.lost()
        continue
      }
      var draft = EntryDraft(seq: seq, t: seq)
      if lost > 0 { draft.gap = Gap(lost: lost, why: "full") }
      lost = 0
      let isJump = seq > 0 && generator.chance(0.05)
      draft.isJump = isJump
      if seq > 0, !isJump { draft.event = Array("{}".utf8)[...] }
      if seq > 0, !isJump, generator.chance(0.1) {
        writer.thinned()
      } else {
        try writer.capture(state, outputs, into: &draft)
        let json = try JSON(parsing: CanonicalEncoder().encode(state))
        expected[seq] = (json, json)
      }
      drafts.append(draft)
    }
    let timeline = try Timeline.reading(drafts)
    for (seq, (state, outputs)) in expected {
      #expect(timeline.state(at: seq) == state, "seed \(seed), entry \(seq)")
      #expect(timeline.outputs(at: seq) == outputs, "seed \(seed), entry \(seq)")
    }
    #expect(timeline.disagreements().isEmpty, "seed \(seed)")
    #expect(timeline.keyframes.count > 2 && timeline.keyframes.count < 70, "seed \(seed)")
  }

  @Test("after a state that cannot be encoded, the next entry is a keyframe")
  func unencodable() throws {
    var writer = EntryWriter<Fragile>(hasOutputs: false)
    var first = EntryDraft(seq: 0, t: 0)
    try writer.capture(Fragile(number: 1), [], into: &first)
    var second = EntryDraft(seq: 1, t: 0)
    #expect(throws: (any Error).self) {
      try writer.capture(Fragile(number: 13), [], into: &second)
    }
    #expect(second == EntryDraft(seq: 1, t: 0))
    var third = EntryDraft(seq: 2, t: 0)
    try writer.capture(Fragile(number: 2), [], into: &third)
    #expect(third.state.map(Array.init) == Array("2".utf8) && third.patch == nil)
  }

  @Test("after a loaded moment, the next entry is a keyframe that also has the changes")
  func loaded() throws {
    var writer = EntryWriter<[Int]>(hasOutputs: true)
    try writer.load([1], [RecordedOutput("count", 1)])
    var draft = EntryDraft(seq: 8, t: 0)
    try writer.capture([1, 2], [RecordedOutput("count", 2)], into: &draft)
    #expect(draft.patchText == #"[{"op":"add","path":"/1","value":2}]"#)
    #expect(draft.state != nil && draft.outputState != nil && draft.outputs != nil)
  }

  @Test("an entry is confirmed even while another thread encodes redacted properties")
  func confirmsBesideRedaction() throws {
    var writer = EntryWriter<[Int]>(hasOutputs: true)
    try writer.load([1], [])
    var draft = EntryDraft(seq: 1, t: 0)
    draft.event = Array("{}".utf8)[...]
    try writer.capture([1, 2], [RecordedOutput("sum", 3)], into: &draft)
    let entry = try draft.entry()
    try writer.load([1], [])
    let isConfirmed = try writer.confirms(
      entry, [1, 2],
      {
        let isWritten = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          #expect(throws: Never.self) { try CanonicalEncoder().encode(Redacted("theirs")) }
          isWritten.signal()
        }
        isWritten.wait()
        return [RecordedOutput("sum", 3)]
      }())
    #expect(isConfirmed)
  }

  @Test("an output that cannot be encoded describes the error")
  func output() {
    let output = RecordedOutput("x", Fragile(number: 13))
    #expect(String(decoding: output.json, as: UTF8.self).contains("$error"))
  }
}
