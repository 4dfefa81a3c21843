import JSONCore
import Testing

@testable import Timelines

@Suite("A plan of a branch")
struct ForkPlanTests {
  private static let other = "0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10"

  /// Five events after entry 0; 4 was caused by 2, 5 by 4.
  private static func parent() throws -> Timeline {
    try sampleTimeline(
      #"{"seq":0,"t":0,"state":{"n":0}}"#,
      #"{"seq":1,"t":10,"event":"a","patch":[],"origin":"app","at":"A.swift:1"}"#,
      #"{"seq":2,"t":20,"event":"b","patch":[],"origin":"timer"}"#,
      #"{"seq":3,"t":30,"event":"c","patch":[]}"#,
      #"{"seq":4,"t":40,"event":"d","patch":[],"cause":2}"#,
      #"{"seq":5,"t":50,"event":"e","patch":[],"cause":4,"origin":"loop:x","at":"B.swift:2"}"#)
  }

  private func plan(_ script: String, through: Int64? = nil) throws -> (ForkPlan, [String]) {
    let parent = try Self.parent()
    let plan = try EditScript(reading: script).plan(for: parent, through: through)
    let lines = plan.steps(of: parent).map { String(decoding: $0.draft.line, as: UTF8.self) }
    return (plan, lines)
  }

  private func isAfter(_ plan: ForkPlan, _ seq: Int64) -> Bool {
    if case .after(seq) = plan.base { true } else { false }
  }

  @Test("of a skipped event recomputes what follows, with times, places and causes")
  func skips() throws {
    let (plan, lines) = try plan(#"[{"drop":2}]"#)
    #expect(isAfter(plan, 1))
    #expect(plan.start == 2)
    #expect(plan.through == 5)
    #expect(
      lines == [
        #"{"seq":2,"t":30,"event":"c","was":3}"#,
        #"{"seq":3,"t":40,"event":"d","was":4}"#,
        #"{"seq":4,"t":50,"event":"e","cause":3,"origin":"loop:x","at":"B.swift:2","was":5}"#,
      ])
    #expect([0, 1, 2, 3, 4, 5, 6].map { plan.seq(ofParent: $0) } == [0, 1, nil, 2, 3, 4, nil])
  }

  @Test("of an edited event keeps all but the event")
  func replaces() throws {
    let (plan, lines) = try plan(#"[{"replace":5,"event":{"e":2}}]"#)
    #expect(plan.start == 5)
    #expect(
      lines == [
        #"{"seq":5,"t":50,"event":{"e":2},"cause":4,"origin":"loop:x","at":"B.swift:2","was":5}"#
      ])
  }

  @Test("gives new and moved events the time of the entry before")
  func times() throws {
    let (plan, lines) = try plan(
      #"[{"insert":"x","before":3},{"insert":"y","before":3},{"move":5,"before":3},{"append":"z"}]"#
    )
    #expect(plan.start == 3)
    #expect(
      lines == [
        #"{"seq":3,"t":20,"event":"x","origin":"inspector"}"#,
        #"{"seq":4,"t":20,"event":"y","origin":"inspector"}"#,
        // Its cause now comes later, so it is dropped.
        #"{"seq":5,"t":20,"event":"e","origin":"loop:x","at":"B.swift:2","was":5}"#,
        #"{"seq":6,"t":30,"event":"c","was":3}"#,
        #"{"seq":7,"t":40,"event":"d","cause":2,"was":4}"#,
        #"{"seq":8,"t":40,"event":"z","origin":"inspector"}"#,
      ])
  }

  @Test(
    "begins where the branch really differs",
    arguments: [
      ("[]", 6), (#"[{"replace":3,"event":"c"}]"#, 6), (#"[{"replace":3,"event":"C"}]"#, 3),
      (#"[{"move":3,"before":4}]"#, 6), (#"[{"move":3,"before":3}]"#, 6),
      (#"[{"move":3,"before":1},{"move":3,"before":4}]"#, 6),
      (#"[{"move":3,"before":5}]"#, 3), (#"[{"cut":3}]"#, 4), (#"[{"cut":5}]"#, 6),
      (#"[{"start":{"seq":0}}]"#, 6), (#"[{"start":{"n":0}}]"#, 6), (#"[{"start":{"n":1}}]"#, 0),
      (#"[{"start":{"seq":3}}]"#, 0),
      (#"[{"replace":2,"event":"x"},{"replace":2,"event":"b"}]"#, 6),
      (#"[{"insert":"x","before":6}]"#, 6), (#"[{"append":"x"},{"cut":5}]"#, 6),
      (#"[{"move":2,"before":6},{"drop":2}]"#, 2),
    ] as [(String, Int64)])
  func starts(script: String, start: Int64) throws {
    #expect(try plan(script).0.start == start)
  }

  @Test("that changes nothing says so, and shares everything")
  func nothing() throws {
    #expect(try plan("[]").0.changesNothing)
    #expect(try plan("[]", through: 3).0.changesNothing)
    #expect(try plan("[]", through: 3).0.start == 4)
    #expect(try !plan(#"[{"cut":3}]"#).0.changesNothing)
    #expect(try !plan(#"[{"append":1}]"#).0.changesNothing)
    #expect(try !plan(#"[{"start":{"n":1}}]"#).0.changesNothing)
  }

  @Test("that begins with a given state goes on with all events")
  func givenState() throws {
    let (plan, lines) = try plan(#"[{"start":{"n":9}},{"cut":2}]"#)
    guard case .given(let state, at: 0) = plan.base else {
      Issue.record("\(plan.base)")
      return
    }
    #expect(state["n"]?.int == 9)
    #expect(!plan.sharesPrefix && plan.firstStep == 1)
    #expect(
      lines == [
        #"{"seq":1,"t":10,"event":"a","origin":"app","at":"A.swift:1","was":1}"#,
        #"{"seq":2,"t":20,"event":"b","origin":"timer","was":2}"#,
      ])
  }

  @Test("that begins at an entry goes on with what follows it")
  func givenSeq() throws {
    let (plan, lines) = try plan(#"[{"start":{"seq":2}},{"drop":3}]"#)
    guard case .at(2) = plan.base else {
      Issue.record("\(plan.base)")
      return
    }
    #expect(
      lines == [
        #"{"seq":1,"t":40,"event":"d","cause":0,"was":4}"#,
        #"{"seq":2,"t":50,"event":"e","cause":1,"origin":"loop:x","at":"B.swift:2","was":5}"#,
      ])
    #expect(plan.seq(ofParent: 2) == 0)
    #expect(plan.seq(ofParent: 1) == nil)
  }

  @Test("keeps fixed points as they are")
  func fixedPoints() throws {
    let parent = try sampleTimeline(
      #"{"seq":0,"t":0,"state":0}"#, #"{"seq":1,"t":1,"event":"a"}"#,
      #"{"seq":2,"t":2,"state":7,"outputState":{"o":1},"restored":{"timeline":"\#(Self.other)","seq":3}}"#,
      #"{"seq":3,"t":3,"event":"b","cause":"\#(Self.other):9"}"#,
      #"{"seq":4,"t":4,"event":"c","state":8}"#)
    let plan = try EditScript([.drop(1)]).plan(for: parent)
    let lines = plan.steps(of: parent).map { String(decoding: $0.draft.line, as: UTF8.self) }
    #expect(
      lines == [
        #"{"seq":1,"t":2,"state":7,"outputState":{"o":1},"restored":{"timeline":"\#(Self.other)","seq":3},"was":2}"#,
        #"{"seq":2,"t":3,"event":"b","cause":"\#(Self.other):9","was":3}"#,
        #"{"seq":3,"t":4,"event":"c","was":4}"#,
      ])
  }

  @Test("ends at the first loss behind the start, and names the edits it does not reach")
  func losses() throws {
    let parent = try sampleTimeline(
      #"{"seq":0,"t":0,"state":0}"#, #"{"seq":1,"t":1,"event":"a"}"#,
      #"{"seq":5,"t":2,"event":"b","gap":{"lost":3,"why":""}}"#, #"{"seq":6,"t":3,"event":"c"}"#,
      #"{"seq":9,"t":4,"event":"d","gap":{"lost":2,"why":""}}"#)
    func plan(_ text: String) throws -> ForkPlan { try EditScript(reading: text).plan(for: parent) }
    var found = try plan(#"[{"replace":1,"event":"x"},{"drop":6},{"cut":9},{"append":"y"}]"#)
    #expect(found.start == 1 && found.stepCount == 1)
    #expect(found.endedBeforeGapAt == 5)
    #expect(found.unreached == [1, 2, 3])
    // A loss before the start is shared like everything before it.
    found = try plan(#"[{"drop":6}]"#)
    #expect(found.start == 6 && found.stepCount == 0)
    #expect(found.endedBeforeGapAt == 9)
    #expect(found.unreached.isEmpty)
    // Nothing can be computed right behind a loss, for the state before is not known.
    found = try plan(#"[{"drop":5}]"#)
    #expect(isAfter(found, 1) && found.stepCount == 0)
    #expect(found.endedBeforeGapAt == 5)
    #expect(found.unreached == [0])
    // Insertions before the entry after a loss come before the loss.
    found = try plan(#"[{"insert":"x","before":5}]"#)
    #expect(found.start == 2 && found.stepCount == 1 && found.unreached.isEmpty)
    #expect(try plan(#"[{"cut":6},{"append":"x"}]"#).endedBeforeGapAt == nil)
    #expect(try plan(#"[{"start":{"seq":5}}]"#).endedBeforeGapAt == 9)
    #expect(try plan(#"[{"start":{"seq":9}},{"append":"x"}]"#).endedBeforeGapAt == nil)
  }

  @Test(
    "fails with the first edit that cannot be, and why",
    arguments: [
      (#"[{"drop":6}]"#, 0, .doesNotExist(6)), (#"[{"drop":[4,7]}]"#, 0, .doesNotExist(6)),
      (#"[{"drop":2},{"replace":2,"event":1}]"#, 1, .removed(2)),
      (#"[{"drop":[2,4]},{"drop":[1,3]}]"#, 1, .removed(2)),
      (#"[{"cut":3},{"insert":1,"before":4}]"#, 1, .removed(4)),
      (#"[{"start":{"seq":3}},{"cut":2}]"#, 1, .removed(2)),
      (#"[{"start":{"seq":3}},{"drop":3}]"#, 1, .isStart(3)),
      (#"[{"drop":0}]"#, 0, .isStart(0)), (#"[{"insert":1,"before":0}]"#, 0, .isStart(0)),
      (#"[{"move":0,"before":3}]"#, 0, .isStart(0)), (#"[{"move":2,"before":0}]"#, 0, .isStart(0)),
      (#"[{"move":6,"before":2}]"#, 0, .doesNotExist(6)),
      (#"[{"insert":1,"before":7}]"#, 0, .doesNotExist(7)),
      (#"[{"append":1},{"replace":6,"event":1}]"#, 1, .doesNotExist(6)),
      (#"[{"cut":9223372036854775807}]"#, 0, .doesNotExist(.max)),
      (#"[{"drop":[0,9223372036854775807]}]"#, 0, .isStart(0)),
      (#"[{"drop":[1,9223372036854775807]}]"#, 0, .doesNotExist(6)),
      (#"[{"insert":1,"before":9223372036854775807}]"#, 0, .doesNotExist(.max)),
    ] as [(String, Int, EditError.Reason)])
  func fails(script: String, index: Int, reason: EditError.Reason) throws {
    #expect(throws: EditError(reason, index: index)) { try plan(script) }
  }

  @Test("needs entries, and an entry to go through")
  func through() throws {
    let none = try sampleTimeline()
    #expect(throws: EditError(.emptyTimeline)) { try EditScript().plan(for: none) }
    #expect(throws: EditError(.throughDoesNotExist(6))) { try plan("[]", through: 6) }
    #expect(throws: EditError(.doesNotExist(5), index: 0)) {
      try plan(#"[{"drop":5}]"#, through: 3)
    }
    #expect(try plan(#"[{"insert":1,"before":4}]"#, through: 3).0.start == 4)
  }

  @Test("does not count beyond the last number there is")
  func lastNumbers() throws {
    let timeline = try sampleTimeline(
      #"{"seq":9223372036854775806,"t":0,"event":1,"state":1,"gap":{"lost":9223372036854775806,"why":""}}"#,
      #"{"seq":9223372036854775807,"t":0,"event":1}"#)
    #expect(throws: EditError(.tooMany)) {
      try EditScript([.append(event: try JSONSlice("1"))]).plan(for: timeline)
    }
    let plan = try EditScript([.cut(.max - 1)]).plan(for: timeline)
    #expect(plan.start == .max)
    for script in [[Edit.drop(.max)], [.move(.max, before: .max)], [.cut(.max)], [.startAt(.max)]] {
      _ = try? EditScript(script).plan(for: timeline)
    }
  }

  @Test("costs what the script says, not what the timeline holds")
  func scale() throws {
    let shape = TimelineShape(first: 0, through: 10_000_000_000)
    var edits: [Edit] = []
    for index in 0..<20_000 as Range<Int64> { edits.append(.drop(10 + index * 3)) }
    let plan = try EditScript(edits).plan(for: shape) { _ in
      nil
    } state: { _ in
      nil
    }
    #expect(plan.start == 10)
    #expect(plan.stepCount == 10_000_000_000 - 20_000 - 9)
    let mapped: Int64? = plan.seq(ofParent: 10_000_000_000)
    #expect(mapped == 9_999_980_000)
  }

  @Test("describes the edits of the parent in the header")
  func header() throws {
    let parent = try Self.parent()
    let script = EditScript([.drop(2)])
    let plan = try script.plan(for: parent)
    var fields = parent.header.fields
    fields.parent = plan.parent(parent.header.timeline, edits: script, name: "without b")
    let header = try Header(fields)
    #expect(
      header.line["parent"]?.text
        == #"{"timeline":"\#(sampleID)","through":5,"start":2,"edits":[{"drop":2}],"name":"without b"}"#
    )
  }
}
