import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Minimizing events with causes")
struct CausedEventsTests {
  private static let tapped: JSON = ["tapped": [:]]
  private static func response(_ cents: Int64, note: String) -> JSON {
    ["response": ["cents": .number(JSON.Number(cents)), "note": .string(note)]]
  }

  /// A shop that subtracts each discount that its server answers.
  private static let shop = FunctionMachine(initial: ["discount": 0]) { state, event in
    let discount = (state["discount"]?.int ?? 0) + (event["response"]?["cents"]?.int ?? 0)
    return ["discount": .number(JSON.Number(discount))]
  }

  private static func recording(
    _ events: [JSON], causes: [Int: Int64], by machine: FunctionMachine
  ) throws -> [Entry] {
    var entries = try Doors.recording(events, by: machine)
    for (seq, cause) in causes {
      var draft = EntryDraft(entries[seq])
      draft.cause = .here(cause)
      entries[seq] = try draft.entry()
    }
    return entries
  }

  /// The entries that a script leaves.
  private static func left(_ fork: FromInspector.Fork, of entries: [Entry]) throws -> [Int64] {
    var left = entries.dropFirst().map(\.seq)
    for edit in try EditScript(reading: fork.edits).edits {
      switch edit {
      case .cut(let last): left.removeAll { $0 > last }
      case .drop(let dropped): left.removeAll { dropped.contains($0) }
      case .replace: break
      default: Issue.record("\(edit) was not expected")
      }
    }
    return left
  }

  @Test("an event stays together with the one that caused it")
  func causeStays() async throws {
    let entries = try Self.recording(
      [
        Self.tapped, Doors.looked, Self.tapped, Self.response(10, note: "Thanks"), Doors.looked,
        Self.response(10, note: "Again"),
      ], causes: [4: 1, 6: 3], by: Self.shop)
    try await RerunWorld.run(entries, FunctionHosts(Self.shop)) { world in
      let answer = try await world.minimize("state.discount >= 20")
      #expect(answer.minimal)
      let script = try EditScript(reading: #require(world.forks.all.first).edits)
      // The payloads become simpler, although a response alone would fail as well; their notes stay
      // different.
      let simple: JSON = ["response": ["cents": 10]]
      #expect(
        MinimizationTests.left(script, of: entries)
          == [Self.tapped, Self.tapped, Self.response(10, note: ""), simple])
    }
  }

  @Test("an event whose response stays keeps its payload")
  func requestsKeepPayloads() async throws {
    let asked: JSON = ["asked": ["city": "Ulm"]]
    let entries = try Self.recording(
      [asked, Self.response(10, note: "Ulm"), asked], causes: [2: 1], by: Self.shop)
    try await RerunWorld.run(entries, FunctionHosts(Self.shop)) { world in
      _ = try await world.minimize("state.discount >= 10")
      let script = try EditScript(reading: #require(world.forks.all.first).edits)
      #expect(
        MinimizationTests.left(script, of: entries) == [asked, ["response": ["cents": 10]]])
    }
  }

  @Test("an event that an earlier state caused can be removed alone")
  func causeBeforeStart() async throws {
    var entries = try Self.recording(
      [Self.tapped, Self.response(10, note: ""), Self.response(10, note: "")],
      causes: [2: 1, 3: 1], by: Self.shop)
    var keyframe = EntryDraft(entries[1])
    keyframe.state = Self.shop.initial.encoded()[...]
    entries[1] = try keyframe.entry()
    try await RerunWorld.run(entries, FunctionHosts(Self.shop)) { world in
      let answer = try await world.minimize("state.discount >= 10") { $0.laterStart = true }
      #expect(answer.events == 1)
    }
  }

  /// A table of what each event makes of each state, and the recorded events and causes.
  private struct World {
    static let names = ["a", "b", "c"]
    private let table: [[Int64]]
    let names: [String]
    let causes: [Int: Int64]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      table = (0..<6).map { _ in Self.names.map { _ in Int64.random(in: 0..<6, using: &random) } }
      names = (0..<12).map { _ in Self.names.randomElement(using: &random) ?? "a" }
      var causes: [Int: Int64] = [:]
      for seq in 2...12 where Bool.random(using: &random) {
        causes[seq] = Int64.random(in: 1..<Int64(seq), using: &random)
      }
      self.causes = causes
    }

    private func next(_ state: Int64, _ name: String) -> Int64 {
      Self.names.firstIndex(of: name).map { table[Int(state)][$0] } ?? state
    }

    /// Whether the events of some entries reach the last state.
    func fails(_ seqs: [Int64]) -> Bool {
      var state: Int64 = 0
      for seq in seqs {
        state = next(state, names[Int(seq) - 1])
        if state == 5 { return true }
      }
      return false
    }

    /// The entries without one of them and everything it caused.
    func without(_ seq: Int64, _ seqs: [Int64]) -> [Int64] {
      var left: [Int64] = []
      var gone: Set = [seq]
      for other in seqs {
        if gone.contains(other) || causes[Int(other)].map(gone.contains) == true {
          gone.insert(other)
        } else {
          left.append(other)
        }
      }
      return left
    }

    var machine: FunctionMachine {
      FunctionMachine(initial: ["at": 0]) { state, event in
        guard case .object(let members) = event, let name = members.keys.first else { return state }
        return ["at": .number(JSON.Number(next(state["at"]?.int ?? 0, name)))]
      }
    }
  }

  @Test("no event is left without its cause, and none can be removed, in any small machine")
  func smallMachines() async throws {
    var minimized = 0
    for seed in 1...Rounds.choose(60, all: 600) as ClosedRange<UInt64> {
      let small = World(seed: seed)
      let all = (1...12).map(Int64.init)
      guard small.fails(all) else { continue }
      let entries = try Self.recording(
        small.names.map { [$0: [:]] }, causes: small.causes, by: small.machine)
      try await RerunWorld.run(entries, FunctionHosts(small.machine)) { world in
        let answer = try await world.minimize("state.at == 5")
        #expect(answer.minimal)
        let left = try world.forks.all.first.map { try Self.left($0, of: entries) } ?? all
        #expect(left.count == Int(answer.events), "seed \(seed)")
        #expect(small.fails(left), "seed \(seed)")
        for seq in left {
          #expect(!small.fails(small.without(seq, left)), "seed \(seed), without \(seq)")
          let cause = small.causes[Int(seq)]
          #expect(cause.map(left.contains) != false, "seed \(seed), entry \(seq)")
        }
      }
      minimized += 1
    }
    #expect(minimized > 20)
  }
}
