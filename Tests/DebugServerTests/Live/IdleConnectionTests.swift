import DebugServer
import JSONCore
import Testing
import Timelines
import WebSockets
import Wire

@Suite("connections that are silent", .serialized, .timeLimit(.minutes(5)))
struct IdleConnectionTests {
  @Test("requests in progress in both directions keep a connection; none does not")
  func busy() {
    var world = HubWorld()
    let inspector = world.inspector()
    #expect(!world.hub.isBusy(inspector))
    world.send(#"{"type":"check","id":1}"#, as: inspector)
    #expect(world.hub.isBusy(inspector))
    world.answerQuery(.refused(Refusal(.failed, "It was not done.")))
    #expect(!world.hub.isBusy(inspector))

    let can = #"{"type":"hello","version":"1.0","can":{"control":true}}"#
    let recorder = world.recorder(can)
    world.send(Say.open(), as: recorder)
    #expect(!world.hub.isBusy(recorder))
    world.send(
      #"{"type":"hold","id":2,"timeline":"\#(Say.timeline)","policy":"queue"}"#, as: inspector)
    #expect(world.hub.isBusy(recorder))
    #expect(world.hub.isBusy(inspector))
    world.wait(20_000)
    #expect(!world.hub.isBusy(recorder))
    #expect(!world.hub.isBusy(inspector))
  }

  @Test("the intervals of the configuration are those of the connections")
  func intervals() async throws {
    try await LiveDaemon.with({
      $0.limits.pingMilliseconds = 20
      // Longer than a busy machine keeps the other connection waiting.
      $0.limits.pongMilliseconds = 5_000
    }) { running, _ in
      let socket = try #require(running.socket)
      let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await peer.send(#"{"type":"hello","version":"1.0"}"#)
      _ = await peer.heard("welcome")
      // It no longer reads, so there is no sign of life.
      peer.pause()
      let (other, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await other.send(#"{"type":"hello","version":"1.0"}"#)
      _ = await other.heard("welcome")
      var inspectors: JSON?
      var id = 0
      repeat {
        id += 1
        await other.send(#"{"type":"status","id":\#(id)}"#)
        inspectors = await other.heard("status")?["inspectors"]
      } while inspectors == 2
      #expect(inspectors == 1)
      await peer.close()
      await other.close()
    }
  }
}
