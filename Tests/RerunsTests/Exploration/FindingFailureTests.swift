import JSONCore
import Predicates
import Replaying
import Synchronization
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Findings that cannot be kept")
struct FindingFailureTests {
  /// Explores for two findings, of which the first cannot become a branch.
  private static func explore(
    failing error: any Error, _ body: (() async throws -> ToInspector.Explore) async throws -> Void
  ) async throws {
    let entries = try Doors.recording([Doors.opened("a"), Doors.closed("a")])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let asked = Mutex(0)
      let service = RerunService(store: world.store, hosts: world.hosts) { fork in
        let isFirst = asked.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { throw error }
        return ToInspector.Fork {
          $0.timeline = AskedForks.branch ?? .zero
          $0.parent = fork.timeline
        }
      }
      let goal = try Predicates.Predicate("state.count == 1")
      let request = FromInspector.Explore {
        $0.timeline = world.timeline
        $0.from = 0
        $0.until = goal
        $0.findings = 2
      }
      try await body { try await service.explore(request) { _ in } }
    }
  }

  @Test("a branch that cannot be made costs neither its events nor the other findings")
  func failure() async throws {
    try await Self.explore(failing: Refusal(.failed, "The disk is full.")) { explore in
      let answer = try await explore()
      #expect(answer.findings.map(\.problem) == ["The disk is full.", nil])
      #expect(answer.findings.map(\.timeline) == [nil, AskedForks.branch])
      #expect(answer.findings.map(\.events.count) == [1, 1])
      #expect(answer.sent > 1)
    }
  }

  @Test("a search that fails keeps what it had found, and says why it ended", arguments: [0, 40])
  func failingSearch(requests: Int) async throws {
    let machine = BranchedMachine.all[0]
    let recorded = try BranchedRecording.make(machine, count: 40, seed: 5, isEven: true)
    let hosts = FakeHosts([machine.replay])
    hosts.onRequest { number, _ in
      if number >= requests { throw Refusal(.failed, "The host cannot be started.") }
    }
    try await RerunWorld.run(
      Array(recorded.entries), hosts, kind: machine.replay.kind.rawValue, make: machine.replay.make
    ) { world in
      let explore = {
        try await world.proofs.explore(
          FromInspector.Explore {
            $0.timeline = world.timeline
            $0.from = 0
            $0.until = try? Predicates.Predicate("state.total == 7")
            $0.findings = 100
            $0.seconds = 3_600
          }
        ) { _ in }
      }
      guard requests > 0 else {
        // Nothing was found yet.
        let refused = await #expect(throws: Refusal.self) { try await explore() }
        #expect(refused?.reply.message == "The host cannot be started.")
        return
      }
      let answer = try await explore()
      #expect(answer.end == .failed)
      #expect(answer.problem == "The host cannot be started.")
      #expect(!answer.findings.isEmpty)
      #expect(answer.findings.allSatisfy { !$0.events.isEmpty })
      #expect(answer.sent > 0)
    }
  }

  @Test("a cancellation ends the exploration")
  func cancellation() async throws {
    try await Self.explore(failing: CancellationError()) { explore in
      await #expect(throws: CancellationError.self) { try await explore() }
    }
  }
}
