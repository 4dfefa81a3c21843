import JSONCore
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("Requests about a whole branch")
struct WholeBranchTests {
  @Test("wait until it is computed")
  func wholeBranch() async throws {
    let basket = BranchedMachine.all[0]
    let hosts = FakeHosts([basket.replay], partEntries: 10)
    try await BranchWorld.with(hosts) { world in
      let recording = try BranchedRecording.make(basket, count: 600, seed: 1, isEven: true)
      try await world.record(recording)
      let parent = recording.header.timeline
      // A slow host: without the wait, the request comes first.
      hosts.onRequest { _, _ in for _ in 0..<200 { await Task.yield() } }
      for request in [
        { (id: TimelineID) in FromInspector.export(FromInspector.Export { $0.timeline = id }) },
        { (id: TimelineID) in
          FromInspector.compare(
            FromInspector.Compare {
              $0.timeline = parent
              $0.with = id
            })
        },
      ] {
        let branch = try await world.fork(parent, #"[{"drop":2}]"#)
        _ = await world.queries.answer(.request(request(branch))) { _ in }
        let last = try await world.record(of: branch).last
        #expect(last == 599)
      }
    }
  }
}
