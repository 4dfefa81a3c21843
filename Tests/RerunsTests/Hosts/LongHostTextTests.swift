import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("Hosts: texts of any length")
struct LongHostTextTests {
  private static let long = String(repeating: "m", count: 100_000)

  @Test("of an error are cut")
  func error() throws {
    let reply = ErrorReply {
      $0.code = .failed
      $0.message = Self.long
      $0.path = Self.long
    }
    let refusal = try #require(reply.thrown(byHost: "Coin") as? Refusal)
    #expect(refusal.reply.message.hasPrefix("Coin: mmm"))
    #expect(refusal.reply.message.utf8.count < 2_000)
    #expect((refusal.reply.path?.utf8.count ?? 0) < 2_000)
  }

  @Test("of an early end are cut", .timeLimit(.minutes(10)))
  func ended() async throws {
    let machine = BranchedMachine.all[0]
    try await BranchWorld.with(FakeHosts([machine.replay])) { world in
      let recording = try BranchedRecording.make(machine, count: 20, seed: 1, isEven: true)
      try await world.record(recording)
      world.hosts.onAnswer { _, reduced in
        var ended = reduced
        ended.entries.removeAll { $0["seq"]?.int ?? 0 >= 7 }
        ended.ended = EarlyEnd {
          ($0.why, $0.seq, $0.message) = (.trap, 7, Self.long)
        }
        return ended
      }
      let branch = try await world.fork(recording.header.timeline, #"[{"drop":3}]"#)
      let progress = await world.finished(branch)
      #expect(try await world.record(of: branch).ended == .trap)
      let message = try #require(progress?.message)
      #expect(message.hasPrefix("mmm") && message.utf8.count < 2_000)
    }
  }
}
