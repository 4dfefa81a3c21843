import JSONCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import Exploring
@testable import Reruns

@Suite("Limits of explorations")
struct ExplorationLimitTests {
  /// A counter that goes up and down, without an end.
  private static let counter = FunctionMachine(initial: ["n": 0, "path": ["root", "low"]]) {
    state, event in
    let n = state["n"]?.int ?? 0
    let next = event == "up" ? n + 1 : max(0, n - 1)
    return [
      "n": .number(JSON.Number(next)), "path": ["root", .string(next > 5 ? "high" : "low")],
    ]
  }

  /// From the first state, each event leads to one of its own.
  private static func fan(_ count: Int, trap: JSON? = nil) -> (FunctionMachine, [JSON]) {
    let machine = FunctionMachine(initial: "start") { state, event in
      if event == trap, state != "start" { return Optional.none }
      return state == "start" && event != trap ? event : state
    }
    return (machine, (0..<count).map { .string("e\($0)") })
  }

  @Test("a state of a chart that only a random walk reaches is covered")
  func walks() async throws {
    var world = try ExplorerWorld(Self.counter, ["up", "down"])
    world.limits.depth = 4
    world.chart = ChartEdges([
      "states": [
        ["name": "low", "path": ["root", "low"]], ["name": "high", "path": ["root", "high"]],
      ],
      "declared": [["from": ["root", "low"], "to": "high", "trigger": ["message": "up"]]],
    ])
    let (explorer, _) = try await world.run()
    #expect(explorer.walkCount > 0)
    #expect(explorer.coverage.unreachedStates == [])
    #expect(explorer.coverage.untakenEdges == [])
    #expect(explorer.coverage.events.values.reduce(0) { $0 + $1.sent } == explorer.eventCount)
  }

  @Test("of many states that are reached at once, few trap before the event is dropped")
  func wideFrontier() async throws {
    let (machine, events) = Self.fan(120, trap: "boom")
    let (explorer, end) = try await ExplorerWorld(machine, events + ["boom"]).run()
    #expect(end == .everything)
    #expect(explorer.dropped.names == ["boom"])
    let traps = try #require(explorer.coverage.events["boom"]).failures
    #expect((10...17).contains(traps), "\(traps) traps")
  }

  @Test("of many states that are sent without entries, few trap before the event is dropped")
  func wideFrontierWithoutEntries() async throws {
    let machine = FunctionMachine(initial: ["n": 0]) { state, event in
      guard let n = state["n"]?.int else { return event == "boom" ? Optional.none : state }
      if event == "next", n < 20 { return ["n": .number(JSON.Number(n + 1))] }
      return n == 20 && event != "next" && event != "boom" ? event : state
    }
    let events: [JSON] = ["next", "boom"] + (0..<120).map { .string("e\($0)") }
    var world = try ExplorerWorld(machine, events)
    world.makeHost = { EndingHost(host: FunctionHost($0)) }
    let (explorer, end) = try await world.run()
    #expect(end == .everything)
    #expect(explorer.stateCount == 141)
    #expect(explorer.dropped.names == ["boom"])
    let traps = try #require(explorer.coverage.events["boom"]).failures
    #expect((10...17).contains(traps), "\(traps) traps")
  }

  @Test("the time is checked between requests")
  func time() async throws {
    let (machine, events) = Self.fan(200)
    var world = try ExplorerWorld(machine, events)
    world.hostCount = 1
    let whole = try await world.run()
    #expect(whole.end == .everything)
    let checks = Mutex(0)
    let start = ContinuousClock.now
    world.limits.time = ExplorationTime(deadline: start + .seconds(1)) {
      let count = checks.withLock { count in
        count += 1
        return count
      }
      return count > 16 ? start + .seconds(2) : start
    }
    world.limits.time.sleep = { _ in await FakeHosts.neverAnswer() }
    let (explorer, end) = try await world.run()
    #expect(end == .time)
    // 200 events to the first state; then requests of 256, of which eight states need more.
    #expect(explorer.eventCount > 200)
    #expect(explorer.eventCount < 200 + 8 * 200)
    #expect((explorer.eventCount - 200).isMultiple(of: 256))
  }

  @Test("the end of the time cancels requests in progress", arguments: [false, true])
  func requestInProgress(isWalking: Bool) async throws {
    var world = try ExplorerWorld(Self.counter, ["up", "down"], until: "state.n == 1000")
    world.limits.depth = 4
    let stalled = Signal()
    world.makeHost = { machine in
      StalledHost(host: FunctionHost(machine), stalled: stalled) { request in
        // A walk does not set states back; the first state alone has been expanded before.
        let isWalk = request.steps.allSatisfy { $0.state == nil }
        return isWalking ? isWalk : request.state?.value["n"] == 2
      }
    }
    let start = ContinuousClock.now
    world.limits.time = ExplorationTime(deadline: start + .seconds(1)) {
      stalled.isSet ? start + .seconds(1) : start
    }
    world.limits.time.sleep = { _ in try await stalled.wait() }
    let (explorer, end) = try await world.run()
    #expect(end == .time)
    #expect(explorer.walkCount == 0)
    // What was answered before is kept.
    #expect(explorer.stateCount == (isWalking ? 5 : 3))
  }

  @Test("canceling an exploration is not the end of its time")
  func canceled() async throws {
    var world = try ExplorerWorld(Self.counter, ["up", "down"])
    let stalled = Signal()
    world.makeHost = { StalledHost(host: FunctionHost($0), stalled: stalled) { _ in true } }
    world.limits.time = ExplorationTime(deadline: .now)
    world.limits.time.now = { [start = ContinuousClock.now - .seconds(1)] in start }
    world.limits.time.sleep = { _ in await FakeHosts.neverAnswer() }
    let running = Task { [world] in try await world.run().end }
    try await stalled.wait()
    running.cancel()
    await #expect(throws: (any Error).self) { try await running.value }
  }

  @Test("the rest of the time is divided among the remaining jobs")
  func share() {
    let start = ContinuousClock.now
    let time = ExplorationTime(deadline: start + .seconds(20)) { start }
    #expect(time.share(among: 4) == .seconds(5))
    #expect(time.share(among: 0) == .seconds(20))
    #expect(ExplorationTime(deadline: start) { start + .seconds(1) }.share(among: 2) == .zero)
  }

  @Test("a full cache keeps the states that are used first, until their last events are sent")
  func cache() {
    let moments = (0..<3).map { Snapshot(state: .string("state \($0)")) }
    // Room for two.
    var states = ExploredStates(limit: 400)
    for (index, moment) in moments.enumerated() { states.keep(moment, of: index + 1) }
    #expect(states.count == 2)
    #expect(states.moment(for: .init(node: 1, isPlausible: true))?.state == "state 0")
    #expect(states.moment(for: .init(node: 3, isPlausible: true)) == nil)
    #expect(states.moment(for: .init(node: 1, isPlausible: false))?.state == "state 0")
    #expect(states.moment(for: .init(node: 1, isPlausible: false)) == nil)
    states.keep(moments[2], of: 3)
    #expect(states.moment(for: .init(node: 3, isPlausible: true))?.state == "state 2")
  }

  @Test("no state is kept at the end, also none at the maximum depth")
  func keptStates() async throws {
    var world = try ExplorerWorld(Self.counter, ["up", "down"])
    world.limits.depth = 4
    let (explorer, _) = try await world.run()
    #expect(explorer.stateCount == 5)
    #expect(explorer.states.count == 0)
  }
}

/// A host that ends at every request to send events without entries.
private struct EndingHost: ReducerHosting {
  let host: FunctionHost

  var summary: ToInspector.HostSummary { host.summary }

  func expands() async -> Bool { true }

  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    guard request.expand != nil else { return try await host.reduce(request, part: part) }
    try await part(
      FromRecorder.Reduced {
        $0.ended = EarlyEnd {
          $0.why = .trap
          $0.seq = request.seq
          $0.guess = true
        }
      })
  }
}
