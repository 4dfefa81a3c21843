import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("Comparing")
struct ComparisonTests {
  @Test(
    "the same events on other code: how many entries are equal, where the first difference is, in which paths"
  )
  func onAnotherHost() async throws {
    let entries = try Doors.recording((1...3_000).map { Doors.paid($0 == 2_500 ? 7 : 0) })
    let changed = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      let isSeven = event["paid"]?["amount"]?.int == 7
      return FunctionMachine.doors.reduce(state, isSeven ? Doors.paid(8) : event)
    }
    try await RerunWorld.run(entries, FunctionHosts(changed)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 2_499)
      #expect(answer.differing == 501)
      #expect(answer.a?.seq == 2_500)
      #expect(answer.paths?.first?.path.description == "/state/total")
      #expect(answer.paths?.first?.entries == 501)
    }
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 3_000)
      #expect(answer.differing == 0)
      #expect(answer.a == nil)
    }
  }

  @Test("counts the members that differ, not the small object that a patch replaces")
  func memberPaths() throws {
    func side(_ total: JSON) -> Comparison.Side {
      Comparison.Side(
        seq: 1, moment: Snapshot(state: ["a": total, "b": total, "c": true], outputs: [:]))
    }
    var comparison = Comparison()
    comparison.add(side(1), side(2))
    comparison.add(side(1), side(3))
    comparison.add(side(1), side(1))
    let answer = try comparison.answer(.zero, .zero)
    #expect(answer.paths?.map(\.path.description) == ["/state/a", "/state/b"])
    #expect(answer.paths?.map(\.entries) == [2, 2])
    let patch = answer.patch?.text ?? ""
    #expect(patch.contains(#""path":"/state","#), "\(patch)")
  }

  @Test("a host that ends early differs up to the end, and says why")
  func endsEarly() async throws {
    let events =
      [Doors.opened("a"), Doors.opened("b")] + (1...2_997).map { _ in Doors.looked }
    var entries = try Doors.recording(events)
    let frail = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      state["count"]?.int == 99 ? nil : FunctionMachine.doors.reduce(state, event)
    }
    try await RerunWorld.run(entries, FunctionHosts(frail)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 99)
      #expect(answer.differing == 2_900)
      #expect(answer.a?.seq == 100)
      #expect(answer.message?.contains("signal 5") == true)
    }
    // The recorded app died there as well.
    var draft = EntryDraft(seq: 100, t: 1_000)
    draft.event = Doors.looked.encoded()[...]
    draft.error = "trapped"
    entries = try Array(entries[..<100]) + [draft.entry()]
    try await RerunWorld.run(entries, FunctionHosts(frail)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 100)
      #expect(answer.differing == 0)
      #expect(answer.message == nil)
    }
  }

  @Test("entries that changed places, and thousands that one side has alone, find their partners")
  func moved() async throws {
    let events = (1...4_500).map { Doors.paid(Int64($0 % 7)) }
    let entries = try Doors.recording(events)
    // The first 2,500 come last, and 100 others are new at the beginning.
    let order = Array(2_501...4_500) + Array(1...2_500)
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let id = AskedForks.branch ?? .zero
      let header = try Header(
        reading: """
          {"timeline":"\(id)","app":{"name":"Doors"},"machine":{"type":"Doors","name":"doors",\
          "make":"Doors()"},"started":"2026-05-01T08:00:00Z","parent":{"timeline":\
          "\(world.timeline)","through":9000,"start":1,"edits":[{"drop":5}]},"format":1}
          """)
      _ = try await world.store.createBranch(header)
      let new = (1...100).map { _ in Doors.looked }
      let computed = try Doors.recording(new + order.map { events[$0 - 1] })
      let own = try computed.dropFirst().enumerated().map { index, entry in
        var draft = EntryDraft(entry)
        draft.was = index < 100 ? nil : Int64(order[index - 100])
        if entry.seq == 1 {
          draft.state = try #require(try Timeline.state(of: computed, at: 1)).encoded()[...]
        }
        return try draft.entry()
      }
      _ = try await world.store.append(AppendBatch(id, own))
      let answer = try await world.compare { $0.with = id }
      // An oracle of its own: both runs whole, in memory.
      let (left, right) = (try Self.states(entries), try Self.states(computed))
      let equal = order.indices.count { left[order[$0]] == right[$0 + 101] }
      #expect(answer.equal == Int64(equal + 1))
      #expect(answer.differing == Int64(4_500 - equal))
      #expect(answer.alone == 100)
    }
  }

  private static func states(_ entries: [Entry]) throws -> [JSON] {
    var snapshot = Snapshot(state: .null)
    return try entries.map { entry in
      try Agreement.advance(&snapshot, by: entry)
      return snapshot.state
    }
  }

  @Test("a branch is aligned with its parent by the entries that it recomputes")
  func branches() async throws {
    let entries = try Doors.recording((1...10).map { Doors.paid(Int64($0)) })
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      // Without entry 5: what was 6 is 5.
      let id = AskedForks.branch ?? .zero
      let header = try Header(
        reading: """
          {"timeline":"\(id)","app":{"name":"Doors"},"machine":{"type":"Doors","name":"doors",\
          "make":"Doors()"},"started":"2026-05-01T08:00:00Z","parent":{"timeline":\
          "\(world.timeline)","through":10,"start":5,"edits":[{"drop":5}]},"format":1}
          """)
      _ = try await world.store.createBranch(header)
      let kept = (1...10).filter { $0 != 5 }.map { Doors.paid(Int64($0)) }
      let own = try Doors.recording(kept)[5...].map { entry in
        var draft = EntryDraft(entry)
        draft.was = entry.seq + 1
        if entry.seq == 5 {
          draft.state = try #require(
            try Timeline.state(of: Doors.recording(kept), at: 5)
          ).encoded()[...]
        }
        return try draft.entry()
      }
      _ = try await world.store.append(AppendBatch(id, own))
      let answer = try await world.compare { $0.with = id }
      #expect(answer.equal == 5)
      #expect(answer.differing == 5)
      #expect(answer.alone == 1)
      #expect(answer.a?.seq == 6)
      #expect(answer.b?.seq == 5)
      let same = try await world.compare { $0.with = world.timeline }
      #expect(same.equal == 11)
      #expect(same.differing == 0)
      #expect(same.alone == nil)
    }
  }
}
