import JSONCore
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("A host whose answers lead nowhere")
struct EmptyAnswerTests {
  private static let machine = BranchedMachine.all[0]

  /// The branch that edits make with a host that omits a part of each answer.
  private func branch(
    _ edits: String, leavingOut isLeftOut: @escaping @Sendable (Int64) -> Bool,
    _ body: (BranchWorld, TimelineID, BranchProgress?) async throws -> Void
  ) async throws {
    try await BranchWorld.with(FakeHosts([Self.machine.replay])) { world in
      let recording = try BranchedRecording.make(Self.machine, count: 20, seed: 1, isEven: true)
      try await world.record(recording)
      world.hosts.onAnswer { _, reduced in
        var less = reduced
        less.entries.removeAll { isLeftOut($0["seq"]?.int ?? 0) }
        return less
      }
      let branch = try await world.fork(recording.header.timeline, edits)
      let progress = await world.finished(branch)
      try await body(world, branch, progress)
    }
  }

  @Test("is asked for entry 0 three times, then the branch reports it", .timeLimit(.minutes(10)))
  func noBeginning() async throws {
    try await branch(#"[{"start":{"seq":3}}]"#, leavingOut: { $0 == 0 }) {
      world, branch, progress in
      #expect(world.hosts.requests == 3)
      let record = try await world.record(of: branch)
      #expect(record.ended == .failed)
      #expect(
        progress?.message == """
          The host 'fake' answered without entry 0, 3 times. To fix, have it begin its answer with \
          entry 0 when 'seq' is 0.
          """)
    }
  }

  @Test("is asked for another entry three times, too", .timeLimit(.minutes(10)))
  func noEntry() async throws {
    try await branch(#"[{"drop":3}]"#, leavingOut: { $0 >= 7 }) {
      world, branch, progress in
      // One answer that brings something, and three that do not; a host that keeps steps is not there.
      #expect(world.hosts.requests <= 4)
      let record = try await world.record(of: branch)
      #expect(record.last == 6)
      #expect(
        progress?.message == """
          The host 'fake' answered without entry 7, 3 times. To fix, have it answer one entry for \
          each step, or say by 'ended' why there are fewer.
          """)
    }
  }
}
