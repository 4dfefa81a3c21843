import JSONCore
import StatesCore
import Synchronization
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
    // Its time stays: on a busy machine, a real clock would end the wait.
    try await BranchWorld.with(hosts, clock: ManualClock()) { world in
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

  /// Requests about all of a branch, and one about what is computed of it.
  private static func requests(_ id: TimelineID) -> [(request: FromInspector, isWhole: Bool)] {
    [
      (.export(FromInspector.Export { $0.timeline = id }), true),
      (.verify(FromInspector.Verify { $0.timeline = id }), true),
      (.minimize(FromInspector.Minimize { $0.timeline = id }), true),
      (.compare(FromInspector.Compare { $0.timeline = id }), true),
      (
        .export(
          FromInspector.Export {
            $0.timeline = id
            $0.to = 2
          }), false
      ),
    ]
  }

  @Test(
    "are refused when it is not computed within ten seconds", .timeLimit(.minutes(10)),
    arguments: [false, true])
  func unfinished(keeps: Bool) async throws {
    let basket = BranchedMachine.all[0]
    let hosts = FakeHosts([basket.replay], partEntries: 10, keeps: keeps)
    let clock = ManualClock()
    try await BranchWorld.with(hosts, clock: clock) { world in
      let recording = try BranchedRecording.make(basket, count: 600, seed: 1, isEven: true)
      try await world.record(recording)
      // The host stops after the first of its answers.
      hosts.onRequest { count, _ in if count > 0 { await FakeHosts.neverAnswer() } }
      let branch = try await Self.passing(clock) {
        try await world.fork(recording.header.timeline, #"[{"drop":2}]"#)
      }.value
      let name = branch.text.prefix(8)
      // The time of the clock must not pass before the first answer is durable.
      while !keeps, try await world.record(of: branch).last ?? 0 < 2 { await Task.yield() }
      // A host that keeps its steps has made nothing durable yet.
      for (request, isWhole) in Self.requests(branch) where isWhole || !keeps {
        let (answer, time) = try await Self.passing(clock) {
          await world.queries.answer(.request(request)) { _ in }
        }
        switch (answer, isWhole) {
        case (.message(.export), false): break
        case (.refused(let refusal), true):
          #expect(refusal.reply.code == .conflict)
          let message = refusal.reply.message
          #expect(
            message.hasSuffix(
              """
               of the 598 entries of the branch \(name) are computed. To fix, try again when it is \
              complete. To see how far it is, run: debugd show \(name)
              """), "\(message)")
          #expect(time >= .seconds(10) && time < .seconds(11))
        default: Issue.record("\(answer)")
        }
      }
    }
  }

  @Test("are refused at once, with the reason, while it waits for a host")
  func waiting() async throws {
    let basket = BranchedMachine.all[0]
    let hosts = FakeHosts([basket.replay], partEntries: 10)
    try await BranchWorld.with(hosts) { world in
      let recording = try BranchedRecording.make(basket, count: 600, seed: 1, isEven: true)
      try await world.record(recording)
      hosts.onRequest { _, _ in
        hosts.isThere = false
        throw Refusal(.noHost, "The host is gone.")
      }
      let branch = try await world.fork(recording.header.timeline, #"[{"drop":2}]"#)
      var message = ""
      while !message.hasSuffix("There is no host.") {
        let export = FromInspector.export(FromInspector.Export { $0.timeline = branch })
        let answer = await world.queries.answer(.request(export)) { _ in }
        guard case .refused(let refusal) = answer else {
          Issue.record("\(answer)")
          break
        }
        message = refusal.reply.message
        #expect(message.contains("are computed. "))
      }
    }
  }

  /// Runs a closure while the time of a clock passes; returns its value and the time that passed.
  private static func passing<Value: Sendable>(
    _ clock: ManualClock, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> (value: Value, time: Duration) {
    let isDone = Mutex(false)
    let start = clock.now
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return try await body()
    }
    while !isDone.withLock({ $0 }) {
      if clock.sleeperCount > 0 { clock.advance(by: .milliseconds(125)) }
      await Task.yield()
    }
    return (try await task.value, start.duration(to: clock.now))
  }
}
