import JSONCore
import Testing

@testable import Timelines

@Suite("A timeline")
struct TimelineTests {
  @Test("has the state after every entry, or reports that it is unknown")
  func moments() throws {
    let timeline = try sampleTimeline(
      #"{"seq":2,"t":0,"event":0,"state":{"n":0},"outputState":{"o":1},"gap":{"lost":2,"why":"late"}}"#,
      #"{"seq":3,"t":1,"event":1,"patch":[{"op":"replace","path":"/n","value":1}]}"#,
      #"{"seq":4,"t":1,"event":1}"#,
      #"{"seq":5,"t":1,"event":1,"omitted":7}"#,
      #"{"seq":6,"t":2,"event":1,"state":{"n":4}}"#,
      #"{"seq":7,"t":2,"event":1,"patch":[],"outputs":[{"op":"add","path":"/o","value":2}]}"#)
    #expect(timeline.firstSeq == 2)
    #expect(timeline.lastSeq == 7)
    #expect(timeline.moment(at: -1) == nil)
    #expect(timeline.moment(at: .min) == nil)
    #expect(timeline.moment(at: 0) == .lost(LostRange(0...1, why: "late")))
    #expect(timeline.state(at: 2) == ["n": 0])
    #expect(timeline.state(at: 3) == ["n": 1])
    #expect(timeline.outputs(at: 3) == ["o": 1])
    #expect(timeline.moment(at: 4) == .thinned(omitted: nil))
    #expect(timeline.moment(at: 5) == .thinned(omitted: 7))
    #expect(timeline.moment(at: 6) == .known(Snapshot(state: ["n": 4])))
    #expect(timeline.moment(at: 7) == .known(Snapshot(state: ["n": 4], outputs: ["o": 2])))
    #expect(timeline.end == Snapshot(state: ["n": 4], outputs: ["o": 2]))
    #expect(timeline.moment(at: 8) == nil)
    #expect(timeline.moment(at: .max) == nil)
    #expect(timeline.thinned == [4...5])
  }

  @Test("gives stretches of its entries")
  func stretches() throws {
    let timeline = try sampleTimeline(
      #"{"seq":0,"t":0}"#, #"{"seq":1,"t":0,"event":1}"#,
      #"{"seq":5,"t":0,"event":1,"gap":{"lost":3,"why":""}}"#, #"{"seq":6,"t":0,"event":1}"#)
    #expect(timeline.entries(from: 0, count: 2).map(\.seq) == [0, 1])
    #expect(timeline.entries(from: 1, count: 9).map(\.seq) == [1, 5, 6])
    #expect(timeline.entries(from: 3, count: 1).map(\.seq) == [5])
    #expect(timeline.entries(from: 7, count: 1).isEmpty)
    #expect(timeline.entries(from: .min, count: -1).isEmpty)
    #expect([0, 1, 4, 5, 6, 7].map { timeline.index(of: $0) } == [0, 1, nil, 2, 3, nil])
    #expect(timeline[5]?.gap?.lost == 3)
    // One thinned stretch ends at the loss.
    #expect(timeline.thinned == [0...1, 5...6])
  }

  @Test("is a value: a copy that goes on leaves the other as it was")
  func copies() throws {
    let before = try sampleTimeline(#"{"seq":0,"t":0,"state":[]}"#)
    var after = before
    try after.append(
      Entry(
        reading: #"{"seq":1,"t":0,"event":1,"patch":[{"op":"add","path":"/0","value":1}]}"#))
    #expect(before.end?.state == [])
    #expect(before.lastSeq == 0)
    #expect(after.end?.state == [1])
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var lines: [String]
    var entry: String
    var reason: TimelineError.Reason
    var seq: Int64
    var testDescription: String { "\(reason)" }
  }

  private static let zero = #"{"seq":0,"t":5,"state":{"n":0},"outputState":{}}"#
  private static let lost = #""gap":{"lost":1,"why":""}"#
  static let table: [Bad] = [
    Bad(lines: [], entry: #"{"seq":1,"t":0,"event":1}"#, reason: .skips(expected: 0), seq: 1),
    Bad(
      lines: [], entry: #"{"seq":2,"t":0,"event":1,\#(lost)}"#,
      reason: .gapDoesNotFit(lost: 1, expected: 1), seq: 2),
    Bad(lines: [zero], entry: zero, reason: .notAfter(last: 0), seq: 0),
    Bad(
      lines: [zero], entry: #"{"seq":2,"t":5,"event":1}"#, reason: .skips(expected: 1), seq: 2),
    Bad(
      lines: [zero], entry: #"{"seq":3,"t":5,"event":1,\#(lost)}"#,
      reason: .gapDoesNotFit(lost: 1, expected: 2), seq: 3),
    Bad(
      lines: [zero], entry: #"{"seq":1,"t":5,"event":1,\#(lost)}"#,
      reason: .gapDoesNotFit(lost: 1, expected: 2), seq: 1),
    Bad(
      lines: [zero],
      entry:
        #"{"seq":9223372036854775807,"t":5,"event":1,"gap":{"lost":9223372036854775807,"why":""}}"#,
      reason: .gapDoesNotFit(lost: .max, expected: nil), seq: .max),
    Bad(
      lines: [zero], entry: #"{"seq":1,"t":4,"event":1}"#, reason: .timeDecreases(from: 5), seq: 1),
    Bad(
      lines: [], entry: #"{"seq":1,"t":4,"event":1,"patch":[],\#(lost)}"#,
      reason: .patchWithoutBase, seq: 1),
    Bad(
      lines: [#"{"seq":0,"t":0}"#], entry: #"{"seq":1,"t":4,"event":1,"patch":[]}"#,
      reason: .patchWithoutBase, seq: 1),
    Bad(
      lines: [zero], entry: #"{"seq":2,"t":5,"event":1,"patch":[],\#(lost)}"#,
      reason: .patchWithoutBase, seq: 2),
    Bad(
      lines: [zero], entry: #"{"seq":1,"t":5,"event":1,"state":1}"#, reason: .changesMissing,
      seq: 1),
    Bad(
      lines: [zero], entry: #"{"seq":1,"t":5,"state":1,"jump":true}"#, reason: .changesMissing,
      seq: 1),
    Bad(
      lines: [zero],
      entry: #"{"seq":1,"t":5,"event":1,"patch":[{"op":"remove","path":"/m"}]}"#,
      reason: .patch(PatchError(.nothingThere, operation: 0, path: Pointer(tokens: ["m"]))),
      seq: 1),
    Bad(
      lines: [zero],
      entry:
        #"{"seq":1,"t":5,"event":1,"patch":[{"op":"replace","path":"/n","value":7}],"outputs":[{"op":"remove","path":"/m"}]}"#,
      reason: .outputs(PatchError(.nothingThere, operation: 0, path: Pointer(tokens: ["m"]))),
      seq: 1),
  ]

  @Test("refuses what cannot follow, and stays what it was", arguments: table)
  func refuses(_ bad: Bad) throws {
    var timeline = Timeline(try sampleHeader())
    for line in bad.lines { try timeline.append(Entry(reading: line)) }
    let before = timeline
    let entry = try Entry(reading: bad.entry)
    #expect(throws: TimelineError(bad.reason, at: bad.seq)) { try timeline.append(entry) }
    #expect(timeline.entries == before.entries)
    #expect(timeline.end == before.end)
    #expect(timeline.keyframes == before.keyframes)
    #expect(timeline.lost == before.lost && timeline.thinned == before.thinned)
    for seq in -1...3 as ClosedRange<Int64> {
      #expect(timeline.moment(at: seq) == before.moment(at: seq))
    }
  }

  @Test("names the keyframes that disagree with their patches")
  func disagreements() throws {
    let timeline = try sampleTimeline(
      #"{"seq":0,"t":0,"state":{"n":0}}"#,
      #"{"seq":1,"t":0,"event":1,"state":{"n":1},"patch":[{"op":"replace","path":"/n","value":1}]}"#,
      #"{"seq":2,"t":0,"event":1,"state":{"n":2},"patch":[]}"#,
      #"{"seq":3,"t":0,"event":1,"state":{"n":2},"patch":[{"op":"remove","path":"/m"}]}"#,
      #"{"seq":4,"t":0,"event":1,"state":{"n":2},"outputState":{"o":1},"patch":[]}"#)
    let found = timeline.disagreements()
    #expect(found.map(\.seq) == [2, 3, 4])
    #expect(found[0].patched == Snapshot(state: ["n": 1]))
    #expect(found[0].keyframe == Snapshot(state: ["n": 2]))
    #expect(found[1].patched == nil)
  }
}
