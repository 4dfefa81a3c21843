import DebugServer
import JSONCore
import Testing
import Timelines
import WebSockets

@Suite("connections that are silent", .serialized)
struct IdleServingTests {
  @Test("requests in progress in both directions keep a connection; none does not")
  func busy() {
    var world = HubWorld()
    let inspector = world.inspector()
    #expect(!world.hub.isBusy(inspector))
    world.say(#"{"type":"check","id":1}"#, as: inspector)
    #expect(world.hub.isBusy(inspector))
    world.answerLook(.refused(Refusal(.failed, "It was not done.")))
    #expect(!world.hub.isBusy(inspector))

    let can = #"{"type":"hello","version":"1.0","can":{"control":true}}"#
    let recorder = world.recorder(can)
    world.say(Say.open(), as: recorder)
    #expect(!world.hub.isBusy(recorder))
    world.say(
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
      $0.limits.pongMilliseconds = 2_000
    }) { running, _ in
      let socket = try #require(running.socket)
      let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await peer.say(#"{"type":"hello","version":"1.0"}"#)
      _ = await peer.heard("welcome")
      // It reads nothing any more, so nothing shows that it lives.
      peer.pause()
      let (other, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await other.say(#"{"type":"hello","version":"1.0"}"#)
      _ = await other.heard("welcome")
      var inspectors: JSON?
      var id = 0
      repeat {
        id += 1
        await other.say(#"{"type":"status","id":\#(id)}"#)
        inspectors = await other.heard("status")?["inspectors"]
      } while inspectors == 2
      #expect(inspectors == 1)
      await peer.close()
      await other.close()
    }
  }
}
