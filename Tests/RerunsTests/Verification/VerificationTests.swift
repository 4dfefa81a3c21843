import JSONCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Verifying")
struct VerificationTests {
  /// The rule for payments, changed: more than 90 in all is not taken.
  private static let changed = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    let after = FunctionMachine.doors.reduce(state, event)
    return (after?["total"]?.int ?? 0) > 90 ? state : after
  }

  @Test("a recording whose rerun is equal is the same", arguments: [1, 40, 4_100])
  func same(count: Int) async throws {
    let entries = try Doors.recording(Doors.noise(count, seed: 1))
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
      #expect(answer.entries == Int64(count))
      #expect(answer.message == nil)
      let stretch = try await world.verify { $0.from = 1 }
      #expect(stretch.outcome == .same)
      #expect(stretch.entries == Int64(count))
    }
  }

  @Test("changed code is named by the first entry that differs, with what differs there")
  func changed() async throws {
    let events = (1...4_000).map { Doors.paid($0 > 3_000 ? 1 : 0) }
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 3_091)
      #expect(answer.entries == 3_090)
      let patch = try #require(answer.patch).value
      let paths = patch.array?.compactMap { $0["path"]?.string } ?? []
      #expect(paths.allSatisfy { $0.hasPrefix("/state") })
      #expect(!paths.isEmpty)
      let before = try await world.verify { $0.to = 3_090 }
      #expect(before.outcome == .same)
    }
  }

  @Test("a reducer that depends on more than its input is reported from changed code")
  func impure() async throws {
    let entries = try Doors.recording(Doors.noise(2_500, seed: 2))
    let clocked = { (time: Int64) in
      FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
        let after = FunctionMachine.doors.reduce(state, event)
        guard after?["count"]?.int == 2_200 else { return after }
        return try? after?.applying(
          Patch([.replace(pointer("/total"), .number(JSON.Number(time)))]))
      }
    }
    try await RerunWorld.run(entries, FunctionHosts(clocked(1), clocked(2))) { world in
      let answer = try await world.verify { $0.processes = 4 }
      #expect(answer.outcome == .impure)
      #expect(answer.seq == 2_200)
      #expect(answer.message?.contains("4 processes") == true)
    }
    try await RerunWorld.run(entries, FunctionHosts(clocked(1))) { world in
      let alone = try await world.verify { $0.processes = 3 }
      #expect(alone.outcome == .differs)
      #expect(alone.seq == 2_200)
    }
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let pure = try await world.verify { $0.processes = 8 }
      #expect(pure.outcome == .same)
      await #expect(throws: Refusal.self) { try await world.verify { $0.processes = 9 } }
    }
  }

  @Test(
    "processes that read the same clock once are asked again before code counts as changed")
  func sameClock() async throws {
    let entries = try Doors.recording(Doors.noise(100, seed: 2))
    // Both see the time 1, then both see the time 2.
    let reads = Counter()
    let clocked = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      let after = FunctionMachine.doors.reduce(state, event)
      guard after?["count"]?.int == 30 else { return after }
      let time = JSON.Number(Int64((reads.next() + 1) / 2))
      return try? after?.applying(Patch([.replace(pointer("/total"), .number(time))]))
    }
    try await RerunWorld.run(entries, FunctionHosts(clocked)) { world in
      let answer = try await world.verify { $0.processes = 2 }
      #expect(answer.outcome == .impure)
      #expect(answer.seq == 30)
    }
  }

  @Test(
    "a finding holds when the processes do not reach it again", arguments: [true, false])
  func noSecondRun(throwing: Bool) async throws {
    let events = (1...100).map { Doors.paid($0 > 50 ? 2 : 0) }
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, TiringHosts(Self.changed, isThrowing: throwing)) { world in
      let answer = try await world.verify { $0.processes = 2 }
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 96)
    }
  }

  @Test("states that were not captured are run through, and compared with the next that was")
  func thinned() async throws {
    var entries = try Doors.recording((1...100).map { Doors.paid($0 == 50 ? 91 : 0) })
    for seq in 40...60 {
      var draft = EntryDraft(entries[seq])
      draft.thin()
      entries[seq] = try draft.entry()
    }
    var keyframe = EntryDraft(entries[61])
    let known: JSON = ["count": 61, "open": [], "total": 91]
    keyframe.state = known.encoded()[...]
    entries[61] = try keyframe.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
      #expect(answer.entries == 79)
      #expect(answer.message?.contains("21 entries") == true)
    }
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 61)
    }
  }

  @Test("what nothing later confirms is inconclusive")
  func unconfirmed() async throws {
    var entries = try Doors.recording((1...30).map { Doors.paid(Int64($0)) })
    for seq in 28...30 {
      var draft = EntryDraft(entries[seq])
      draft.thin()
      entries[seq] = try draft.entry()
    }
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .inconclusive)
      #expect(answer.entries == 27)
      #expect(answer.message?.contains("3 entries") == true)
      let nothing = try await world.verify { $0.to = 0 }
      #expect(nothing.outcome == .inconclusive)
      #expect(nothing.message == "There was nothing to compare.")
    }
  }

  @Test("after more uncaptured entries than a batch holds, it restarts at a keyframe")
  func longThinned() async throws {
    let whole = try Doors.recording((1...26_000).map { Doors.paid($0 == 25_500 ? 95 : 0) })
    var entries = whole
    for seq in 10...25_000 {
      var draft = EntryDraft(entries[seq])
      draft.thin()
      entries[seq] = try draft.entry()
    }
    var keyframe = EntryDraft(entries[25_001])
    keyframe.state = try #require(try Timeline.state(of: whole, at: 25_001)).encoded()[...]
    entries[25_001] = try keyframe.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .inconclusive)
      // All but the uncaptured ones, the keyframe that is taken as given, and entry 0.
      #expect(answer.entries == 9 + 999)
      #expect(answer.message?.contains("24992 entries") == true)
    }
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 25_500)
    }
  }

  @Test("a machine that does not begin the same everywhere is impure")
  func impureInit() async throws {
    let entries = try Doors.recording([Doors.looked])
    var other = FunctionMachine.doors
    other.initial = ["count": 0, "open": [], "total": 1]
    try await RerunWorld.run(entries, FunctionHosts(.doors, other)) { world in
      let answer = try await world.verify { $0.processes = 2 }
      #expect(answer.outcome == .impure)
      #expect(answer.seq == 0)
      let later = try await world.verify {
        $0.processes = 2
        $0.from = 1
      }
      #expect(later.outcome == .same)
    }
  }

  @Test("a host that leaves entries out proves nothing")
  func omits() async throws {
    let entries = try Doors.recording([Doors.looked, Doors.looked])
    for hosts in [FunctionHosts(.doors, omitting: 1), FunctionHosts(.doors, omitting: 9)] {
      try await RerunWorld.run(entries, hosts) { world in
        let refusal = await #expect(throws: Refusal.self) { try await world.verify() }
        #expect(refusal?.reply.message.contains("were expected") == true)
        await #expect(throws: Refusal.self) { try await world.compare() }
      }
    }
  }

  @Test("after a loss it continues from the next known state")
  func lost() async throws {
    let whole = try Doors.recording(Doors.noise(300, seed: 3))
    let state = try #require(try Timeline.state(of: whole, at: 150))
    var entries = Array(whole[..<100])
    var after = EntryDraft(whole[150])
    after.gap = Gap(lost: 50, why: "the outbox was full")
    after.state = state.encoded()[...]
    entries.append(try after.entry())
    entries += whole[151...]
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
      #expect(answer.entries == 249)
    }
  }

  @Test("an event that could not be encoded is skipped, and the entries after it are verified")
  func unwritten() async throws {
    let whole = try Doors.recording(Doors.noise(300, seed: 3))
    var entries = whole
    var draft = EntryDraft(entries[100])
    draft.thin()
    draft.error = Entry.failure(of: "event") + "Broken()"
    draft.event = Array(#"{"type":"Doors.Event","why":"cannot be written"}"#.utf8)[...]
    entries[100] = try draft.entry()
    var next = EntryDraft(entries[101])
    next.state = try #require(try Timeline.state(of: whole, at: 101)).encoded()[...]
    entries[101] = try next.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .inconclusive, "\(answer)")
      // All but it, and the state after it, which is given.
      #expect(answer.entries == 298, "\(answer)")
    }
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
    }
  }

  @Test("what differs where values are stand-ins is inconclusive")
  func redacted() async throws {
    var entries = try Doors.recording([Doors.paid(10), Doors.paid(91)])
    for seq in 1...2 {
      var draft = EntryDraft(entries[seq])
      draft.redacted = [Redaction(pointer("/event/paid/amount"), hash: "")]
      entries[seq] = try draft.entry()
    }
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .inconclusive)
      #expect(answer.message?.hasPrefix("redacted input") == true)
    }
  }

  @Test(
    "stand-ins before the stretch, and in given states, are reported as well",
    arguments: [0, 1])
  func redactedBefore(seq: Int) async throws {
    var entries = try Doors.recording([Doors.paid(10), Doors.looked, Doors.paid(91)])
    var draft = EntryDraft(entries[seq])
    draft.redacted = [Redaction(pointer(seq == 0 ? "/state/note" : "/event/paid/amount"), hash: "")]
    entries[seq] = try draft.entry()
    try await RerunWorld.run(entries, FunctionHosts(Self.changed)) { world in
      let all = try await world.verify()
      #expect(all.outcome == .inconclusive)
      let stretch = try await world.verify { $0.from = 2 }
      #expect(stretch.outcome == .inconclusive)
      #expect(stretch.seq == 3)
    }
  }

  @Test("an app that died dies again")
  func traps() async throws {
    let events = [Doors.opened("a"), Doors.opened("b"), Doors.crashed]
    var entries = try Doors.recording(events)
    #expect(entries.count == 3)
    var draft = EntryDraft(seq: 3, t: 30)
    draft.event = Doors.crashed.encoded()[...]
    draft.error = "trapped"
    entries.append(try draft.entry())
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
    }
    // Code that no longer crashes.
    let fixed = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      FunctionMachine.doors.reduce(state, event["crashed"] == nil ? event : Doors.looked)
    }
    try await RerunWorld.run(entries, FunctionHosts(fixed)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 3)
      let compared = try await world.compare()
      #expect(compared.equal == 2)
      #expect(compared.differing == 1)
      #expect(compared.paths?.first?.path.description == "/error")
    }
    let healthy =
      Array(entries[..<3]) + [
        try Entry(reading: #"{"seq":3,"t":30,"event":{"crashed":{}},"patch":[]}"#)
      ]
    try await RerunWorld.run(healthy, FunctionHosts(.doors)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 3)
      #expect(answer.message?.contains("trapped") == true)
    }
  }

  @Test("what cannot be run says so")
  func refuses() async throws {
    let entries = try Doors.recording([Doors.looked])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      await #expect(throws: (any Error).self) { try await world.verify { $0.timeline = .zero } }
      await #expect(throws: Refusal.self) { try await world.verify { $0.from = 9 } }
      await #expect(throws: Refusal.self) {
        try await world.verify {
          $0.from = 1
          $0.to = 0
        }
      }
    }
  }
}

/// A pointer that is known to be one.
func pointer(_ text: String) -> Pointer { (try? Pointer(text)) ?? .root }

extension Timeline {
  /// The state after an entry of some entries, replayed.
  static func state(of entries: [Entry], at seq: Int64) throws -> JSON? {
    var snapshot = Snapshot(state: .null)
    for entry in entries where entry.seq <= seq { try Agreement.advance(&snapshot, by: entry) }
    return snapshot.state
  }
}

/// Counts from 1, for several threads.
private final class Counter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
