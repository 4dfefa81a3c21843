import JSONCore
import Predicates
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("Explaining entries of recordings")
struct ExplainServiceTests {
  private static func explain<Hosts>(
    _ world: RerunWorld<Hosts>, _ seq: Int64, _ predicate: String? = nil,
    _ change: (inout FromInspector.Explain) -> Void = { _ in }
  ) async throws -> ToInspector.Explain {
    let predicate = try predicate.map { try Predicates.Predicate($0) }
    var asked = FromInspector.Explain {
      $0.timeline = world.timeline
      $0.seq = seq
      $0.predicate = predicate
    }
    change(&asked)
    return try await world.proofs.explain(asked) { _ in }
  }

  /// Adds another recording of the same type.
  private static func add<Hosts>(
    _ events: [JSON], as id: String, to world: RerunWorld<Hosts>, type: String = "Doors"
  ) async throws -> TimelineID {
    let header = try Header(
      reading: """
        {"timeline":"\(id)","app":{"name":"Doors"},"machine":{"type":"\(type)","name":"doors",\
        "kind":"machine","make":"Doors()"},"started":"2026-05-01T08:00:00Z","format":1}
        """)
    _ = try await world.store.open(header)
    let timeline = try #require(TimelineID(id))
    _ = try await world.store.append(AppendBatch(timeline, Doors.recording(events)))
    return timeline
  }

  private static let broken = [
    Doors.looked, Doors.opened("a"), Doors.looked, Doors.paid(4), Doors.looked,
  ]
  private static let first = "00000000-0000-4000-8000-000000000001"
  private static let second = "00000000-0000-4000-8000-000000000002"

  @Test("one answer has the values, the fewest events, and since when")
  func whole() async throws {
    try await RerunWorld.run(Doors.recording(Self.broken), FunctionHosts(.doors)) { world in
      let answer = try await Self.explain(world, 5, "state.total > 3") { $0.fewest = true }
      #expect(answer.predicate?.description == "state.total > 3")
      #expect(answer.since == 4)
      #expect(answer.values.map(\.path) == ["state.total"])
      #expect(answer.values.map(\.seq) == [4])
      #expect(answer.values.map(\.label) == [.recorded])
      #expect(answer.entries.map(\.seq) == [5, 4])
      #expect(answer.entries.map(\.name) == ["looked", "paid"])
      #expect(answer.links.map(\.reason) == [.value])
      #expect(answer.links.map { [$0.from, $0.to] } == [[1, 0]])
      let fewest = try #require(answer.fewest)
      #expect(fewest.minimal)
      #expect(fewest.label == .inferred)
      #expect(fewest.entries.map(\.seq) == [4])
      #expect(fewest.entries.map(\.name) == ["paid"])
      // Explaining leaves no branch behind.
      #expect(world.forks.all.isEmpty)
    }
  }

  @Test("without a host, it says what is missing, and answers the rest")
  func noHost() async throws {
    let nothing = MissingHosts(refusal: Refusal(.noHost, "No host makes it. To fix, start one."))
    try await RerunWorld.run(Doors.recording(Self.broken), nothing) { world in
      let answer = try await Self.explain(world, 5, "state.total > 3") { $0.fewest = true }
      #expect(answer.fewest == nil)
      #expect(
        answer.missing?.first == "The fewest events: No host makes it. To fix, start one.")
      #expect(answer.values.map(\.seq) == [4])
      let unasked = try await Self.explain(world, 5, "state.total > 3")
      #expect(unasked.fewest == nil)
      #expect(unasked.missing?.contains { $0.hasPrefix("The fewest events") } == false)
    }
  }

  @Test("the nearest healthy recording shows the first entry that it does not have")
  func healthy() async throws {
    try await RerunWorld.run(Doors.recording(Self.broken), FunctionHosts(.doors)) { world in
      let none = try await Self.explain(world, 5, "state.total > 3")
      #expect(none.healthy == nil)
      #expect(
        none.missing == [
          """
          No other recording of Doors was found without this failure. To compare with one, record a \
          run that goes well.
          """
        ])
      // Of another type, broken itself, and healthy in two ways.
      _ = try await Self.add(Self.broken, as: Self.first, to: world)
      let far = try await Self.add(
        [Doors.looked, Doors.opened("a"), Doors.looked, Doors.looked], as: Self.second, to: world)
      _ = try await Self.add(
        [Doors.closed("b")], as: "00000000-0000-4000-8000-000000000003", to: world)
      let answer = try await Self.explain(world, 5, "state.total > 3")
      let difference = try #require(answer.healthy)
      #expect(difference.timeline == far)
      #expect(difference.entry?.seq == 4)
      #expect(difference.entry?.name == "paid")
      #expect(difference.other == nil)
      #expect(difference.label == .inferred)
      #expect(answer.missing == nil)
    }
  }

  @Test("a named healthy recording is compared, and has to be another one of the type")
  func namedHealthy() async throws {
    try await RerunWorld.run(Doors.recording(Self.broken), FunctionHosts(.doors)) { world in
      let other = try await Self.add(
        [Doors.looked, Doors.opened("b"), Doors.looked, Doors.paid(2), Doors.looked],
        as: Self.first, to: world)
      let answer = try await Self.explain(world, 5) { $0.healthy = other }
      #expect(answer.healthy?.entry?.seq == 2)
      #expect(answer.healthy?.other?.event?.value == Doors.opened("b"))
      let windows = try await Self.add([], as: Self.second, to: world, type: "Windows")
      for (id, reason) in [(windows, "of Windows"), (world.timeline, "the same")] {
        let refused = await #expect(throws: Refusal.self) {
          try await Self.explain(world, 5) { $0.healthy = id }
        }
        #expect(
          refused?.reply.message
            == "To compare with a healthy recording, name another one of Doors; this one is \(reason)."
        )
      }
    }
  }

  @Test("an error is explained without a predicate")
  func error() async throws {
    var entries = try Doors.recording(Self.broken)
    var draft = EntryDraft(entries[3])
    draft.error = "a \"quoted\" error"
    entries[3] = try draft.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explain(world, 3)
      #expect(answer.predicate?.description == #"error == "a \"quoted\" error""#)
      #expect(answer.since == 3)
      let plain = try await Self.explain(world, 2) { $0.fewest = true }
      #expect(plain.predicate == nil && plain.since == nil)
      #expect(
        plain.missing == ["To get the fewest events, give a condition that holds after the entry."])
    }
  }

  @Test("what cannot be explained is refused")
  func refusals() async throws {
    var entries = try Doors.recording(Self.broken)
    var draft = EntryDraft(entries[5])
    draft.thin()
    entries[5] = try draft.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let missing = await #expect(throws: Refusal.self) { try await Self.explain(world, 9) }
      #expect(missing?.reply.message == "There is no entry 9: the timeline has entries 0 to 5.")
      let wrong = await #expect(throws: Refusal.self) {
        try await Self.explain(world, 1, "state.total > 3")
      }
      #expect(
        wrong?.reply.message == """
          state.total > 3 does not hold after entry 1. To fix, name an entry after which it does.
          """)
      let unknown = await #expect(throws: Refusal.self) {
        try await Self.explain(world, 5, "state.total > 3")
      }
      #expect(
        unknown?.reply.message == """
          The recording does not say whether state.total > 3 holds after entry 5: a value is \
          redacted, or was not captured. To fix, name another entry.
          """)
    }
  }

  @Test("large values and events are left out")
  func large() async throws {
    let events = [Doors.opened(String(repeating: "x", count: 2_000))]
    try await RerunWorld.run(Doors.recording(events), FunctionHosts(.doors)) { world in
      let answer = try await Self.explain(
        world, 1, "state.open.count == 1 && state.open[0] != null")
      #expect(answer.values.map { $0.value?.value } == [1, nil])
      #expect(answer.entries.map(\.name) == ["opened"])
      #expect(answer.entries.first?.event == nil)
    }
  }
}

/// Offers no host.
private struct MissingHosts: ReducerHosts {
  let refusal: Refusal

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    throw refusal
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting { throw refusal }
}
