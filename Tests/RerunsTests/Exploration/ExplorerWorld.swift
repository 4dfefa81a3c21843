import Exploring
import JSONCore
import Predicates
import Timelines
import Wire

@testable import Reruns

/// An exploration of a function, without a store.
struct ExplorerWorld {
  var machine: FunctionMachine
  var events: [JSON]
  var limits = Explorer.Limits()
  var chart: ChartEdges?
  var goal = ExplorationGoal()
  var hostCount = 2
  var stateBytes = 64 << 20
  /// Makes each of the hosts; `nil` makes those that run the function.
  var makeHost: (@Sendable (FunctionMachine) -> any ReducerHosting)?

  init(_ machine: FunctionMachine, _ events: [JSON], until predicate: String? = nil) throws {
    self.machine = machine
    self.events = events
    goal.predicate = try predicate.map { try Predicates.Predicate($0) }
  }

  /// Explores; payloads are only the given ones unless `changes`.
  func run(changes: Bool = false) async throws -> (explorer: Explorer, end: Explorer.End) {
    var pool = EventPool(recorded: RecordedPayloads(events), schema: nil, states: [machine.initial])
    if !changes { pool = pool.plausible }
    var explorer = Explorer(
      make: "F()", start: Snapshot(state: machine.initial), pool: pool, goal: goal, chart: chart,
      limits: limits, on: (0..<hostCount).map { _ in makeHost?(machine) ?? FunctionHost(machine) },
      stateBytes: stateBytes, report: { _ in })
    let end = try await explorer.run()
    return (explorer, end)
  }

  /// The states that sequences of up to `length` events reach, by trying each sequence.
  func exhaustive(length: Int) -> (states: Set<JSON>, fewest: [JSON: Int]) {
    var fewest = [machine.initial: 0]
    var ends = [machine.initial]
    for count in 1...length {
      ends = ends.flatMap { end in events.compactMap { machine.reduce(end, $0) } }
      for end in ends where fewest[end] == nil { fewest[end] = count }
    }
    return (Set(fewest.keys), fewest)
  }

  /// The state after events; `nil` when one of them traps.
  func state(after events: [JSON]) -> JSON? {
    events.reduce(machine.initial as JSON?) { state, event in
      state.flatMap { machine.reduce($0, event) }
    }
  }
}
