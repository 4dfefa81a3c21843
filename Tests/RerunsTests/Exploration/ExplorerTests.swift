import Exploring
import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Exploring")
struct ExplorerTests {
  /// A machine in which each event leads from a number to a random other one.
  private static func random(_ seed: UInt64, states: Int, events: Int) -> (FunctionMachine, [JSON])
  {
    var random = SeededGenerator(seed: seed)
    let table = (0..<states).map { _ in
      (0..<events).map { _ in Int64.random(in: 0..<Int64(states), using: &random) }
    }
    let machine = FunctionMachine(initial: ["at": 0]) { state, event in
      guard let at = state["at"]?.int, let text = event.string, let index = Int(text.dropFirst())
      else { return state }
      return ["at": .number(JSON.Number(table[Int(at)][index]))]
    }
    return (machine, (0..<events).map { .string("e\($0)") })
  }

  @Test(
    "finds the shortest ways, and no others than an exhaustive search",
    arguments: 0..<8 as Range<UInt64>
  )
  func exhaustive(seed: UInt64) async throws {
    let (machine, events) = Self.random(seed, states: 4 + Int(seed % 4), events: 2 + Int(seed % 2))
    let every = try ExplorerWorld(machine, events)
    let expected = every.exhaustive(length: 8)
    let all = try await every.run()
    #expect(all.end == .everything)
    #expect(all.explorer.stateCount == expected.states.count)
    #expect(all.explorer.findings.isEmpty)
    for target in 1..<Int64(8) {
      let world = try ExplorerWorld(machine, events, until: "state.at == \(target)")
      let (explorer, end) = try await world.run()
      let fewest = expected.fewest[["at": .number(JSON.Number(target))]]
      #expect((end == .found) == (fewest != nil), "state \(target)")
      #expect(explorer.findings.first?.events.count == fewest, "state \(target)")
      if let found = explorer.findings.first {
        #expect(world.state(after: found.events)?["at"]?.int == target)
      }
    }
  }

  @Test("the result does not depend on the number of hosts, nor on which states were kept")
  func sameResults() async throws {
    let (machine, events) = Self.random(77, states: 60, events: 3)
    var results: [[String]] = []
    for (hosts, bytes) in [(1, 64 << 20), (3, 64 << 20), (2, 0), (1, 2_000)] {
      var world = try ExplorerWorld(machine, events, until: "state.at >= 50")
      world.goal.wanted = 3
      (world.hostCount, world.stateBytes) = (hosts, bytes)
      let (explorer, _) = try await world.run()
      results.append(
        explorer.findings.map { "\($0.events)" } + [
          "\(explorer.stateCount)", "\(explorer.eventCount)",
        ])
    }
    #expect(results[0].count > 2)
    for other in results.dropFirst() { #expect(other == results[0]) }
  }

  /// Twelve kinds of events with payloads; five specific ones in order lead to the bug.
  private static let planted = FunctionMachine(
    initial: ["user": nil, "cart": [], "coupon": nil, "paid": 0, "tab": 0, "theme": "light"]
  ) { state, event in
    guard case .object(var next) = state, case .object(let members) = event,
      let name = members.keys.first, let payload = event[name]
    else { return state }
    let cart = next["cart"]?.array ?? []
    switch name {
    case "loggedIn": next["user"] = payload["name"]
    case "loggedOut": next["user"] = .null
    case "added": if cart.count < 3, let id = payload["id"] { next["cart"] = .array(cart + [id]) }
    case "removed": next["cart"] = .array(cart.filter { $0 != payload["id"] })
    case "couponEntered": if !cart.isEmpty { next["coupon"] = payload["code"] }
    case "couponRemoved": next["coupon"] = .null
    case "paid": if next["user"] != .null { next["paid"] = payload["cents"] }
    case "refunded":
      // The bug: a refund of an empty cart with a coupon pays it out.
      if cart.isEmpty, next["coupon"] != .null, next["paid"] != 0 { next["paid"] = -1 }
    case "tabSelected": next["tab"] = payload["index"]
    case "themeChosen": next["theme"] = payload["name"]
    case "scrolled", "searched": break
    default: break
    }
    return .object(next)
  }

  private static let plantedEvents: [JSON] = [
    ["loggedIn": ["name": "ada"]], ["loggedOut": ["at": 5]], ["added": ["id": 1]],
    ["added": ["id": 2]], ["removed": ["id": 1]], ["couponEntered": ["code": "TEN"]],
    ["couponRemoved": ["code": "TEN"]], ["paid": ["cents": 500]], ["paid": ["cents": 900]],
    ["refunded": ["cents": 500]], ["tabSelected": ["index": 1]], ["tabSelected": ["index": 2]],
    ["themeChosen": ["name": "dark"]], ["scrolled": ["by": 10]], ["searched": ["text": "tea"]],
  ]

  @Test("a bug that needs six specific events of twelve kinds is found from the start")
  func plantedBug() async throws {
    let world = try ExplorerWorld(Self.planted, Self.plantedEvents, until: "state.paid < 0")
    let (explorer, end) = try await world.run()
    #expect(end == .found)
    let events = try #require(explorer.findings.first).events
    // Logging in, adding, entering the coupon, removing, paying, and the refund.
    #expect(events.count == 6)
    #expect(world.state(after: events)?["paid"]?.int == -1)
    #expect(explorer.stateCount < 3_000)
  }

  @Test("traps are findings, and an event that traps too often is no longer sent")
  func traps() async throws {
    let machine = FunctionMachine(initial: ["n": 0]) { state, event in
      let n = state["n"]?.int ?? 0
      if event == "boom", n >= 2 { return nil }
      return event == "more" && n < 40 ? ["n": .number(JSON.Number(n + 1))] : state
    }
    let (explorer, end) = try await ExplorerWorld(machine, ["more", "boom"]).run()
    #expect(end == .everything)
    #expect(explorer.findings.map(\.events) == [["more", "more", "boom"]])
    #expect(explorer.findings.first?.found.cause == .trap("signal 5"))
    #expect(explorer.dropped.names == ["boom"])
    // All states were reached all the same.
    #expect(explorer.stateCount == 41)
    // Until then, it was sent to each state.
    #expect(explorer.coverage.events["boom"]?.failures == 10)
  }

  @Test("what lies deeper than the depth is found by random walks, which repeat with their seed")
  func walks() async throws {
    let machine = FunctionMachine(initial: ["n": 0]) { state, event in
      let n = state["n"]?.int ?? 0
      switch event {
      case "up": return ["n": .number(JSON.Number(n + 1))]
      case "down": return ["n": .number(JSON.Number(max(0, n - 1)))]
      default: return state
      }
    }
    var world = try ExplorerWorld(machine, ["up", "down"], until: "state.n == 9")
    world.limits.depth = 4
    let (explorer, end) = try await world.run()
    #expect(end == .found)
    #expect(explorer.walkCount > 0)
    let events = try #require(explorer.findings.first).events
    #expect(world.state(after: events)?["n"]?.int == 9)
    let (again, _) = try await world.run()
    #expect(again.findings.map(\.events) == explorer.findings.map(\.events))
    world.limits.seed = 1
    let (other, _) = try await world.run()
    #expect(other.findings.map(\.events) != explorer.findings.map(\.events))
  }

  @Test("changed payloads find what recorded ones do not")
  func changedPayloads() async throws {
    let world = try ExplorerWorld(.doors, [Doors.paid(5)], until: "state.total < 0")
    let (explorer, end) = try await world.run(changes: true)
    #expect(end == .found)
    #expect(explorer.findings.map(\.events) == [[Doors.paid(-1)]])
    // Its total grows with every event, so that it never comes to an end.
    var plain = world
    plain.limits.depth = 6
    let (_, without) = try await plain.run()
    #expect(without == .depth)
  }

  @Test("nothing is begun once the time is over")
  func time() async throws {
    var world = try ExplorerWorld(.doors, [Doors.paid(5)])
    world.limits.time.deadline = .now
    let (explorer, end) = try await world.run()
    #expect(end == .time)
    #expect(explorer.eventCount == 0)
  }
}
