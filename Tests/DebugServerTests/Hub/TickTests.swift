import Testing
import Wire

@testable import DebugServer

@Suite("Ticks of the hub")
struct HubTickTests {
  @Test("do not multiply while news cannot be read")
  func unreadableNews() throws {
    var world = HubWorld()
    let recorder = world.recorder()
    world.send(Say.open(), as: recorder)
    world.send(Say.append(Say.entries(0...0)), as: recorder)
    let peer = world.inspector()
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    world.send(#"{"type":"watch","id":2,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 0 })))
    world.drain(peer)
    world.wait(20)
    world.send(Say.append(Say.entries(1...1)), as: recorder)
    let end = world.now + 10_000
    var ticks = 0
    while world.now < end, ticks < 2_000 {
      while !world.queries.isEmpty {
        world.answerQuery(.refused(Refusal(.failed, "The disk fails.")))
      }
      world.drain(peer)
      let time = try #require(world.timers.min())
      world.timers.remove(at: try #require(world.timers.firstIndex(of: time)))
      world.now = max(world.now, time)
      world.handle(.tick(sent: world.sent, requestedFor: time))
      ticks += 1
    }
    // News are at least 16 ms apart. A tick that was replaced counts, too, although it does nothing.
    #expect(ticks <= 2 * 10_000 / 16)
  }
}
