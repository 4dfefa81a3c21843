import JSONCore
import Testing
import TimelineStore
import Timelines

@testable import DebugServer

@Suite("Comparing")
struct ComparisonTests {
  @Test("the same events on other code: how many are equal, where they part, which paths")
  func onAnotherHost() async throws {
    let entries = try Doors.recording((1...3_000).map { Doors.paid($0 == 2_500 ? 7 : 0) })
    let changed = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      let isSeven = event["paid"]?["amount"]?.int == 7
      return FunctionMachine.doors.reduce(state, isSeven ? Doors.paid(8) : event)
    }
    try await ProvingWorld.run(entries, FunctionHosts(changed)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 2_499)
      #expect(answer.differing == 501)
      #expect(answer.a?.seq == 2_500)
      #expect(answer.paths?.first?.path.description == "/state/total")
      #expect(answer.paths?.first?.entries == 501)
    }
    try await ProvingWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.compare()
      #expect(answer.equal == 3_000)
      #expect(answer.differing == 0)
      #expect(answer.a == nil)
    }
  }

  @Test("a branch is aligned with its parent by the entries that it recomputes")
  func branches() async throws {
    let entries = try Doors.recording((1...10).map { Doors.paid(Int64($0)) })
    try await ProvingWorld.run(entries, FunctionHosts(.doors)) { world in
      // Without entry 5: what was 6 is 5.
      let id = ProvingWorld.branch ?? .zero
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
      #expect(answer.a?.seq == 6)
      #expect(answer.b?.seq == 5)
      let same = try await world.compare { $0.with = world.timeline }
      #expect(same.equal == 11)
      #expect(same.differing == 0)
    }
  }
}
