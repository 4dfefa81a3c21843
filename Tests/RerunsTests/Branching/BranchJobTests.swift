import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

extension BranchJob {
  /// Counts bytes as on their way to a disk that never takes them.
  fileprivate func holdBack(_ bytes: Int) { inFlight += bytes }
}

@Suite("The work of a branch")
struct BranchJobTests {
  @Test("ends when it is canceled while it waits for the disk", .timeLimit(.minutes(10)))
  func canceledWhileWaiting() async throws {
    let machine = BranchedMachine.all[0]
    try await BranchWorld.with(FakeHosts([machine.replay])) { world in
      let recording = try BranchedRecording.make(machine, count: 20, seed: 1, isEven: true)
      try await world.record(recording)
      let edits = try JSONSlice(validating: Array(#"[{"drop":3}]"#.utf8))
      let asked = FromInspector.Fork {
        $0.timeline = recording.header.timeline
        $0.edits = edits
      }
      let draft = try await world.store.read { try BranchDraft.new(asked, $0) }
      _ = try await world.store.createBranch(
        draft.header, computing: draft.own.upperBound - 1)
      let job = BranchJob(
        draft, last: draft.own.lowerBound - 1, store: world.store, hosts: world.hosts
      ) { _ in }
      await job.holdBack(BranchJob.inFlightBytes + 1)
      let entry = try #require(recording.entries.first { $0.seq == draft.own.lowerBound })
      var keyframe = EntryDraft(entry)
      keyframe.was = draft.own.lowerBound + 1
      let own = try keyframe.entry()
      let adding = Task { try await job.add([own]) }
      // What is read of the job afterwards needs its actor, which a loop without end would keep.
      while await job.durable < draft.own.lowerBound { await Task.yield() }
      adding.cancel()
      await #expect(throws: CancellationError.self) { try await adding.value }
      #expect(await job.durable == draft.own.lowerBound)
    }
  }
}
