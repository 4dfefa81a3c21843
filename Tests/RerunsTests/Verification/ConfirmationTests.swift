import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

/// Verification with hosts that support `confirm`.
@Suite("Confirming")
struct ConfirmationTests {
  @Test("of a pure reducer nothing but the beginning is compared as values")
  func fast() async throws {
    let entries = try Doors.recording(Doors.noise(9_000, seed: 5))
    let hosts = FunctionHosts(.doors, confirming: true)
    try await RerunWorld.run(entries, hosts) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
      #expect(answer.entries == 9_000)
      #expect(hosts.host.counted.events < 100)
      #expect(hosts.host.counted.confirmed == 9_000 - hosts.host.counted.events)
    }
  }

  @Test("a difference is found where it is, and little around it is run twice")
  func differs() async throws {
    let changed = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      FunctionMachine.doors.reduce(state, event == Doors.paid(91) ? Doors.paid(90) : event)
    }
    for (place, count) in [
      (1, 200), (63, 200), (64, 200), (65, 200), (2_500, 5_000), (4_999, 5_000),
    ] {
      var events = Doors.noise(count, seed: 6)
      events[place] = Doors.paid(91)
      let hosts = FunctionHosts(changed, confirming: true)
      try await RerunWorld.run(Doors.recording(events), hosts) { world in
        let answer = try await world.verify()
        #expect(answer.outcome == .differs)
        #expect(answer.seq == Int64(place) + 1)
        #expect(answer.entries == Int64(place))
        #expect(hosts.host.counted.events <= 64 + 128)
      }
    }
  }

  @Test("every process has to confirm")
  func impure() async throws {
    let clocked = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      let after = FunctionMachine.doors.reduce(state, event)
      guard after?["count"]?.int == 5_500 else { return after }
      return try? after?.applying(Patch([.replace(pointer("/total"), -1)]))
    }
    let entries = try Doors.recording(Doors.noise(6_000, seed: 7))
    let hosts = FunctionHosts(.doors, .doors, clocked, confirming: true)
    try await RerunWorld.run(entries, hosts) { world in
      let answer = try await world.verify { $0.processes = 3 }
      #expect(answer.outcome == .impure)
      #expect(answer.seq == 5_500)
    }
  }

  @Test("a second process verifies a part of a long recording, with the same result")
  func helped() async throws {
    let events = (1...3_000).map { Doors.paid($0 == 2_900 ? 91 : 0) }
    let entries = try Doors.recording(events)
    for (machine, outcome) in [
      (FunctionMachine.doors, VerifyOutcome.same), (Self.capped, .differs),
    ] {
      let hosts = FunctionHosts(machine, confirming: true)
      try await RerunWorld.run(entries, hosts, helpedEntries: 2_500) { world in
        let answer = try await world.verify()
        #expect(hosts.startedCount == (ProcessInfo.processInfo.activeProcessorCount > 1 ? 1 : 0))
        #expect(answer.outcome == outcome)
        #expect(answer.seq == (outcome == .same ? nil : 2_900))
        #expect(answer.entries == (outcome == .same ? 3_000 : 2_899))
      }
    }
  }

  private static let capped = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    let after = FunctionMachine.doors.reduce(state, event)
    guard let total = after?["total"]?.int, total > 90 else { return after }
    return try? after?.applying(Patch([.replace(pointer("/total"), 90)]))
  }

  /// A recording with everything in it that bytes do not prove.
  private static func troubled(_ random: inout SeededGenerator) throws -> [Entry] {
    let count = Int.random(in: 2...900, using: &random)
    var events = Doors.noise(count, seed: random.next())
    for _ in 0..<3 {
      let place = Int.random(in: 0..<count, using: &random)
      events[place] = Doors.undone(to: Int64.random(in: 0...Int64(place), using: &random))
    }
    let whole = try Doors.recording(events)
    var entries = whole
    func keyframe(_ seq: Int, _ change: (inout EntryDraft) -> Void) throws {
      guard entries.indices.contains(seq) else { return }
      var draft = EntryDraft(entries[seq])
      draft.state = try #require(try Timeline.state(of: whole, at: Int64(seq))).encoded()[...]
      change(&draft)
      entries[seq] = try draft.entry()
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let first = Int.random(in: 1...count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let last = min(first + Int.random(in: 0...60, using: &random), count)
        for seq in first...last where !entries[seq].isFixedPoint {
          var draft = EntryDraft(entries[seq])
          draft.thin()
          entries[seq] = try draft.entry()
        }
        try keyframe(last + 1) { _ in }
      case 1: try keyframe(first) { ($0.event, $0.isJump) = (nil, true) }
      default:
        guard random.next() % 3 == 0 else { break }
        try keyframe(first) { $0.redacted = [Redaction(pointer("/state/note"), hash: "")] }
      }
    }
    let lost = Int.random(in: 1...2 * count, using: &random)
    if lost < count, !entries[lost + 1].isFixedPoint {
      try keyframe(lost + 1) { $0.gap = Gap(lost: 1, why: "the outbox was full") }
      entries.remove(at: lost)
    }
    return entries
  }

  @Test(
    "the verdict is the same as from values alone",
    arguments: 1...Rounds.choose(6, all: 16) as ClosedRange<UInt64>)
  func asWithout(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let entries = try Self.troubled(&random)
    let limit = Int64.random(in: 0...2_000, using: &random)
    let odd = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      let after = FunctionMachine.doors.reduce(state, event)
      guard after?["count"]?.int == limit else { return after }
      return try? after?.applying(Patch([.replace(pointer("/total"), -1)]))
    }
    let machines = random.next() % 2 == 0 ? (FunctionMachine.doors, odd) : (odd, odd)
    let processes = Int64.random(in: 1...2, using: &random)
    var verdicts: [String] = []
    for confirms in [false, true] {
      let hosts = FunctionHosts(machines.0, machines.1, confirming: confirms)
      try await RerunWorld.run(entries, hosts, kind: "form") { world in
        let answer = try await world.verify { $0.processes = processes }
        verdicts.append(
          "\(answer.outcome) \(answer.entries) \(answer.seq ?? -1) \(answer.patch?.text ?? "") "
            + (answer.message ?? ""))
      }
    }
    #expect(verdicts[0] == verdicts[1], "seed \(seed)")
  }
}
