import JSONCore
import Predicates
import Replaying
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Exploring recordings")
struct ExploreServiceTests {
  private static func explore<Hosts>(
    _ world: RerunWorld<Hosts>, _ change: (inout FromInspector.Explore) throws -> Void
  ) async throws -> ToInspector.Explore {
    var asked = FromInspector.Explore { $0.timeline = world.timeline }
    try change(&asked)
    return try await world.proofs.explore(asked) { _ in }
  }

  @Test("a finding has the fewest events, and becomes a branch from its entry")
  func finding() async throws {
    let entries = try Doors.recording([Doors.opened("a"), Doors.closed("a"), Doors.looked])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explore(world) {
        $0.from = 0
        $0.until = try Predicates.Predicate("state.open[0] != null")
      }
      #expect(answer.end == .found)
      let finding = try #require(answer.findings.first)
      #expect(finding.cause == .predicate)
      #expect(finding.minimal)
      // The name of the door does not matter to the predicate.
      #expect(finding.events.map(\.value) == [["opened": ["door": ""]]])
      #expect(finding.timeline == AskedForks.branch)
      let fork = try #require(world.forks.all.first)
      #expect(fork.through == 0)
      #expect(fork.failure?.description == "state.open[0] != null")
      #expect(fork.edits.text == #"[{"append":{"opened":{"door":""}}}]"#)
      #expect(answer.events.map(\.name) == ["opened", "closed", "looked"])
    }
  }

  @Test("a predicate to keep is broken, and the branch has its opposite as the failure")
  func always() async throws {
    let entries = try Doors.recording([Doors.paid(3)])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explore(world) {
        $0.always = try Predicates.Predicate("state.total >= 0")
      }
      #expect(answer.findings.map(\.cause) == [.predicate])
      let fork = try #require(world.forks.all.first)
      #expect(fork.through == 1)
      #expect(fork.failure?.description == "!(state.total >= 0)")
    }
  }

  @Test("of several conditions, a finding says which one it breaks, and is minimized to that one")
  func broken() async throws {
    let entries = try Doors.recording([Doors.opened("a"), Doors.closed("a"), Doors.paid(3)])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explore(world) {
        $0.from = 0
        $0.always = try Predicates.Predicate("state.total >= 0 && state.open[0] == null")
      }
      let finding = try #require(answer.findings.first)
      #expect(finding.broken?.description == "state.open[0] == null")
      #expect(finding.events.count == 1)
      #expect(world.forks.all.first?.failure?.description == "!(state.open[0] == null)")
      #expect(world.forks.all.first?.name?.contains("total") == false)
      let single = try await Self.explore(world) {
        $0.from = 0
        $0.always = try Predicates.Predicate("state.open[0] == null")
      }
      #expect(single.findings.first?.cause == .predicate)
      #expect(single.findings.first?.broken == nil)
    }
  }

  @Test("a trap is minimized as that trap")
  func trap() async throws {
    let entries = try Doors.recording(
      [Doors.opened("a"), Doors.closed("a"), Doors.opened("b"), Doors.crashed, Doors.looked])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explore(world) {
        $0.from = 0
        $0.depth = 3
        $0.seconds = 3_600
      }
      let finding = try #require(answer.findings.first)
      #expect(finding.cause == .trap)
      #expect(finding.message == "signal 5")
      #expect(finding.minimal)
      #expect(finding.events.map { $0.members.first?.key } == ["opened", "opened", "crashed"])
      // The branch ends before the trap, so it has no entry to judge.
      #expect(world.forks.all.count == 1)
      #expect(world.forks.all.first?.failure == nil)
    }
  }

  @Test("excluded events are not sent")
  func excluded() async throws {
    let entries = try Doors.recording([Doors.opened("a"), Doors.paid(3)])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await Self.explore(world) {
        $0.until = try Predicates.Predicate("state.open[1] != null")
        $0.exclude = ["opened"]
        $0.depth = 3
        $0.seconds = 3_600
      }
      #expect(answer.findings.isEmpty)
      #expect(answer.end == .depth)
      #expect(answer.events.map(\.name) == ["paid"])
    }
  }

  @Test("what cannot be explored is refused")
  func refusals() async throws {
    let entries = try Doors.recording([Doors.opened("a")])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let both = await #expect(throws: Refusal.self) {
        try await Self.explore(world) {
          $0.until = .always
          $0.always = .always
        }
      }
      #expect(both?.reply.message == "Use 'until' or 'always', not both.")
      let already = await #expect(throws: Refusal.self) {
        try await Self.explore(world) {
          $0.until = try Predicates.Predicate("state.open[0] == \"a\"")
        }
      }
      #expect(
        already?.reply.message == """
          state.open[0] == "a" already holds after entry 1. To fix, begin at an earlier entry.
          """)
      let broken = await #expect(throws: Refusal.self) {
        try await Self.explore(world) {
          $0.always = try Predicates.Predicate("state.open[0] == null")
        }
      }
      #expect(
        broken?.reply.message == """
          The predicate is already broken after entry 1. To fix, begin at an earlier entry.
          """)
      let first = await #expect(throws: Refusal.self) {
        try await Self.explore(world) {
          $0.from = 0
          $0.always = try Predicates.Predicate("state.open[0] != null")
        }
      }
      #expect(
        first?.reply.message == """
          The predicate is already broken after entry 0. To fix, use another predicate.
          """)
      let missing = await #expect(throws: Refusal.self) {
        try await Self.explore(world) { $0.from = 9 }
      }
      #expect(missing?.reply.message == "There is no entry 9: the timeline has entries 0 to 1.")
      let processes = await #expect(throws: Refusal.self) {
        try await Self.explore(world) { $0.processes = 9 }
      }
      #expect(processes?.reply.path == "processes")
      let nothing = await #expect(throws: Refusal.self) {
        try await Self.explore(world) { $0.exclude = ["opened"] }
      }
      #expect(nothing?.reply.message.hasPrefix("There are no events to send:") == true)
      #expect(world.forks.all.isEmpty)
    }
  }

  @Test("an entry whose state was not captured is refused")
  func thinned() async throws {
    var entries = try Doors.recording([Doors.opened("a"), Doors.looked])
    var draft = EntryDraft(entries[1])
    draft.thin()
    entries[1] = try draft.entry()
    entries.removeLast()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let refused = await #expect(throws: Refusal.self) {
        try await Self.explore(world) { $0.from = 1 }
      }
      #expect(
        refused?.reply.message
          == "The state after entry 1 was not captured. To fix, begin at another entry.")
    }
  }

  @Test("a live app is not explored, because a trap would end it")
  func live() async throws {
    let entries = try Doors.recording([Doors.opened("a")])
    try await RerunWorld.run(entries, LiveHosts()) { world in
      let refused = await #expect(throws: Refusal.self) { try await Self.explore(world) { _ in } }
      #expect(
        refused?.reply.message == """
          Only the live app can run this machine, and an event that traps would end it. To fix, give \
          the daemon an executable: debugd host PATH
          """)
    }
  }

  @Test("a host that does not reach a state again is reported")
  func impure() async throws {
    let sender = EventSender(host: FunctionHost(.doors), make: "Doors()")
    let start = Snapshot(state: FunctionMachine.doors.initial)
    let events = [Doors.opened("a"), Doors.opened("b")]
    let reached = try await sender.moment(after: events, from: start)
    #expect(reached.state["open"] == ["a", "b"])
    let refused = await #expect(throws: Refusal.self) {
      try await sender.moment(after: events + [Doors.crashed], from: start)
    }
    #expect(
      refused?.reply.message.hasSuffix("To see where, run: debugd verify --processes 2") == true)
  }

  @Test("machines of every kind are explored", arguments: BranchedMachine.all)
  func everyKind(machine: BranchedMachine) async throws {
    let timeline = try BranchedRecording.make(machine, count: 40, seed: 5, isEven: true)
    let hosts = FakeHosts([machine.replay])
    try await RerunWorld.run(
      Array(timeline.entries), hosts, kind: machine.replay.kind.rawValue, make: machine.replay.make
    ) { world in
      let answer = try await Self.explore(world) {
        $0.from = 0
        $0.depth = 3
        $0.states = 400
        $0.seconds = 3_600
      }
      #expect(answer.states > 3)
      #expect(answer.events.contains { $0.effects > 0 })
      #expect(!answer.events.contains { ["undo", "redo"].contains($0.name) })
    }
  }
}

/// Offers the live app alone.
private struct LiveHosts: ReducerHosts {
  private struct LiveHost: ReducerHosting {
    let summary = ToInspector.HostSummary {
      $0.name = "app"
      $0.place = .live
    }

    func reduce(
      _ request: ToRecorder.Reduce,
      part: @Sendable (FromRecorder.Reduced) async throws -> Void
    ) async throws {
      Issue.record("The live app was asked to run a reducer.")
    }
  }

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    LiveHost()
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting { LiveHost() }
}
