import DebugServer
import JSONCore
import Testing
import TimelineStore
import Timelines
import WebSockets
import Wire

@Suite("A daemon that keeps only so much")
struct KeepingTests {
  @Test("deletes what exceeds the limits while it runs, and logs it")
  func keepsWithin() async throws {
    let log = KeptLog()
    try await LiveDaemon.with { configuration in
      configuration.retention = Retention(perApp: 1)
      configuration.retentionInterval = .milliseconds(5)
      configuration.log = log
    } _: { running, _ in
      let socket = try #require(running.socket)
      let inspector = try await SocketBackend.connect(to: socket)
      #expect(try await count(inspector) == 0)
      let (recorder, _) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
      await recorder.send(#"{"type":"hello","version":"1.0"}"#)
      // Each is recorded to its end; the daemon has looked several times by then.
      for number in 1...3 {
        let timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6\(number)"
        await recorder.send(Say.open(timeline))
        await recorder.send(Say.append(Say.entries(0...3), to: timeline))
        #expect(await recorder.heard("ack")?["timeline"]?.string == timeline)
      }
      // What is being recorded is kept, however much it is.
      #expect(try await count(inspector) == 3)
      await recorder.close()
      let end = ContinuousClock.now + .seconds(120)
      while try await count(inspector) > 1, ContinuousClock.now < end { await Task.yield() }
      #expect(try await count(inspector) == 1)
      await inspector.close()
    }
    let reported = log.events.filter { $0.name == "retention" }
    #expect(reported.count == 2, "\(log.events.map(\.name))")
  }

  private func count(_ backend: any Backend) async throws -> Int {
    guard
      case .message(.timelines(let list)) = try await backend.ask(
        .timelines(FromInspector.Timelines()))
    else { throw CancellationError() }
    return list.timelines.count
  }
}
