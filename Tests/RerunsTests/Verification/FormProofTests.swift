import JSONCore
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("RerunService of forms")
struct FormProofTests {
  /// Payments, and at the end an undo that goes back far beyond a batch.
  private static func recording(_ count: Int, to seq: Int64) throws -> [Entry] {
    try Doors.recording(
      (1...count).map { _ in Doors.paid(1) } + [Doors.undone(to: seq), Doors.looked])
  }

  @Test("an undo goes back to a state of another batch", arguments: [5, 0, 2_098] as [Int64])
  func verifies(to seq: Int64) async throws {
    let entries = try Self.recording(2_500, to: seq)
    try await RerunWorld.run(entries, FunctionHosts(.doors), kind: "form") { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
      #expect(answer.entries == 2_502)
      let end = try await world.verify { $0.from = 2_501 }
      #expect(end.outcome == .same)
      let compared = try await world.compare()
      #expect(compared.equal == 2_502)
      #expect(compared.differing == 0)
    }
  }

  @Test("an unknown state does not count as a difference")
  func unknown() async throws {
    var entries = try Self.recording(3_000, to: 5)
    for seq in 4...6 {
      var draft = EntryDraft(entries[seq])
      draft.thin()
      entries[seq] = try draft.entry()
    }
    var keyframe = EntryDraft(entries[7])
    keyframe.state = try #require(try Timeline.state(of: Self.recording(3_000, to: 5), at: 7))
      .encoded()[...]
    entries[7] = try keyframe.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors), kind: "form") { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .inconclusive)
      #expect(answer.seq == nil)
      #expect(answer.message?.contains("4 entries") == true)
      let compared = try await world.compare()
      #expect(compared.differing == 0)
    }
  }

  @Test("after a difference, an undo goes back to the computed state")
  func parted() async throws {
    let changed = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      FunctionMachine.doors.reduce(state, event["paid"] == nil ? event : Doors.paid(2))
    }
    let entries = try Self.recording(2_500, to: 10)
    try await RerunWorld.run(entries, FunctionHosts(changed), kind: "form") { world in
      let answer = try await world.compare()
      #expect(answer.a?.seq == 1)
      // The undone state is the one that the changed code made.
      #expect(answer.differing == 2_502)
    }
  }

  @Test("an undo is minimized with the states that it goes back to")
  func needed() async throws {
    let payments = (0..<20).map { _ in Doors.paid(5) }
    let later = (0..<600).map { _ in Doors.paid(1) }
    let entries = try Doors.recording(payments + later + [Doors.undone(to: 20)])
    try await RerunWorld.run(entries, FunctionHosts(.doors), kind: "form") { world in
      let answer = try await world.minimize("event == 'undo' && state.total == 100")
      #expect(answer.minimal)
      #expect(answer.events == 21)
    }
  }

  @Test("what an undo takes back is left out together with it")
  func minimizes() async throws {
    var events = Doors.noise(700, seed: 4)
    events.insert(Doors.opened("cellar"), at: 20)
    events.insert(Doors.closed("cellar"), at: 300)
    events.append(Doors.undone(to: 21))
    events.append(Doors.opened("garden"))
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(.doors), kind: "form") { world in
      let answer = try await world.minimize("state.open[1] != null")
      #expect(answer.minimal)
      // Without the closing there is nothing to undo.
      #expect(answer.events == 2)
    }
  }
}
