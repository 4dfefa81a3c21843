import JSONCore
import StatesCore
import Synchronization
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("A branch that waits for a host")
struct WaitingBranchTests {
  @Test("says so once, however long it waits", .timeLimit(.minutes(10)))
  func isReportedOnce() async throws {
    let machine = BranchedMachine.all[0]
    let hosts = FakeHosts([machine.replay])
    try await BranchWorld.with(hosts) { world in
      let recording = try BranchedRecording.make(machine, count: 20, seed: 1, isEven: true)
      try await world.record(recording)
      hosts.isThere = false
      let edits = try JSONSlice(validating: Array(#"[{"drop":3}]"#.utf8))
      let asked = FromInspector.Fork {
        $0.timeline = recording.header.timeline
        $0.edits = edits
      }
      let draft = try await world.store.read { try BranchDraft.new(asked, $0) }
      _ = try await world.store.createBranch(
        draft.header, computing: draft.own.upperBound - 1)
      let clock = ManualClock()
      let reported = Mutex(0)
      let job = BranchJob(
        draft, last: draft.own.lowerBound - 1, store: world.store, hosts: hosts, clock: clock
      ) { news in
        if case .changed = news { reported.withLock { $0 += 1 } }
      }
      await job.start()
      for _ in 0..<5 {
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
      }
      #expect(reported.withLock { $0 } == 1)
      await job.stop()
    }
  }
}
