import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

/// A table of what each event makes of each state, and nothing else.
private struct Automaton {
  static let states = 6
  static let names = ["a", "b", "c"]
  private let table: [[Int]]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    table = (0..<Self.states).map { _ in
      Self.names.map { _ in Int.random(in: 0..<Self.states, using: &random) }
    }
  }

  func next(_ state: Int, _ name: String) -> Int {
    Self.names.firstIndex(of: name).map { table[state][$0] } ?? state
  }

  /// Whether the last state is reached after any of some events.
  func fails(_ events: [String]) -> Bool {
    var state = 0
    for name in events {
      state = next(state, name)
      if state == Self.states - 1 { return true }
    }
    return false
  }

  /// Removes single events as long as the rest fails.
  func minimized(_ events: [String]) -> [String] {
    for index in events.indices {
      var fewer = events
      fewer.remove(at: index)
      if fails(fewer) { return minimized(fewer) }
    }
    return events
  }

  var machine: FunctionMachine {
    FunctionMachine(initial: ["at": 0]) { state, event in
      guard case .object(let members) = event, let name = members.keys.first else { return state }
      let after = next(Int(clamping: state["at"]?.int ?? 0), name)
      return ["at": .number(JSON.Number(Int64(after)))]
    }
  }
}

@Suite("A minimized branch is minimal")
struct MinimalityTests {
  private static func names(_ events: [JSON]) -> [String] {
    events.compactMap { event in
      guard case .object(let members) = event else { return nil }
      return members.keys.first
    }
  }

  @Test("a plain minimizer finds no event to remove, in any small machine")
  func smallMachines() async throws {
    var minimized = 0
    for seed in 1...Rounds.choose(60, all: 600) as ClosedRange<UInt64> {
      let automaton = Automaton(seed: seed)
      var random = SeededGenerator(seed: seed &+ 1_000)
      let events = (0..<12).map { _ in Automaton.names.randomElement(using: &random) ?? "a" }
      guard automaton.fails(events) else { continue }
      let recorded = events.map { name -> JSON in [name: [:]] }
      let entries = try automaton.machine.entries(
        recorded.map { ($0, nil) }, from: nil, seq: 0
      ).entries
      try await RerunWorld.run(entries, FunctionHosts(automaton.machine)) { world in
        let answer = try await world.minimize("state.at == \(Automaton.states - 1)")
        #expect(answer.minimal)
        var left = events
        if let fork = world.forks.all.first {
          left = Self.names(
            try MinimizationTests.left(EditScript(reading: fork.edits), of: entries))
        }
        #expect(left.count == Int(answer.events))
        #expect(automaton.fails(left), "seed \(seed)")
        #expect(!automaton.fails(left.dropLast()), "seed \(seed): it fails before its last event")
        #expect(automaton.minimized(left) == left, "seed \(seed)")
      }
      minimized += 1
    }
    #expect(minimized > 20)
  }

  /// A garage whose lost tickets free a space while the car is still inside.
  private static let garage = FunctionMachine(initial: ["free": 3, "paid": [:]]) { state, event in
    guard case .object(var members) = state, case .object(let named) = event,
      let name = named.keys.first, let plate = event[name]?["plate"]?.string,
      case .object(var paid)? = state["paid"]
    else { return state }
    var free = state["free"]?.int ?? 0
    switch name {
    case "entered":
      free -= 1
      paid[plate] = false
    case "lostTicket":
      free += 1
      paid[plate] = true
    case "left" where paid[plate] == true:
      free += 1
      paid[plate] = nil
    default: break
    }
    members["free"] = .number(JSON.Number(free))
    members["paid"] = .object(paid)
    return .object(members)
  }

  @Test("an event that makes the condition true earlier, and has another name, is the last one")
  func anotherEvent() async throws {
    let events: [JSON] = [
      ["entered": ["plate": "A"]], ["lostTicket": ["plate": "A"]], ["left": ["plate": "A"]],
    ]
    let entries = try Self.garage.entries(events.map { ($0, nil) }, from: nil, seq: 0).entries
    try await RerunWorld.run(entries, FunctionHosts(Self.garage)) { world in
      // In the recording, a car leaves when the condition becomes true.
      let answer = try await world.minimize("state.free > 3")
      #expect(answer.events == 1)
      let fork = try #require(world.forks.all.first)
      let left = try MinimizationTests.left(EditScript(reading: fork.edits), of: entries)
      #expect(Self.names(left) == ["lostTicket"])
    }
  }
}
