import JSONCore
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Payloads of minimized events")
struct MinimizedPayloadsTests {
  /// A garage with two places, which counts arrivals and keeps no plates.
  private static let garage = FunctionMachine(initial: ["cars": 0]) { state, event in
    let cars = (state["cars"]?.int ?? 0) + (event["arrived"] == nil ? 0 : 1)
    return ["cars": .number(JSON.Number(cars))]
  }

  private static func arrived(_ plate: String, hour: Int64) -> JSON {
    ["arrived": ["plate": .string(plate), "at": ["hour": .number(JSON.Number(hour))]]]
  }

  @Test("values that differ between events stay different, and equal ones may become simpler")
  func distinctValues() async throws {
    let events = [
      Doors.looked, Self.arrived("A", hour: 9), Self.arrived("B", hour: 9),
      Self.arrived("C", hour: 9),
    ]
    let entries = try Doors.recording(events, by: Self.garage)
    try await RerunWorld.run(entries, FunctionHosts(Self.garage)) { world in
      let answer = try await world.minimize("state.cars > 2")
      #expect(answer.events == 3)
      let left = try Self.left(world, of: entries)
      let payloads = left.compactMap { $0["arrived"] }
      #expect(Set(payloads.map { $0["plate"] }).count == 3, "\(left)")
      // Nothing depends on the hours, which were equal.
      #expect(payloads.allSatisfy { $0["at"]?["hour"] == nil || $0["at"]?["hour"] == 0 })
      #expect(left != Array(events.dropFirst()))
    }
  }

  @Test("payloads stay as they were recorded if that is asked for")
  func keptPayloads() async throws {
    let events = [Doors.looked, Self.arrived("A", hour: 9)]
    let entries = try Doors.recording(events, by: Self.garage)
    try await RerunWorld.run(entries, FunctionHosts(Self.garage)) { world in
      _ = try await world.minimize("state.cars > 0") { $0.keepPayloads = true }
      #expect(try Self.left(world, of: entries) == [events[1]])
    }
  }

  /// The events that the first branch leaves.
  private static func left(_ world: RerunWorld<FunctionHosts>, of entries: [Entry]) throws -> [JSON]
  {
    let fork = try #require(world.forks.all.first)
    return MinimizationTests.left(try EditScript(reading: fork.edits), of: entries)
  }
}
