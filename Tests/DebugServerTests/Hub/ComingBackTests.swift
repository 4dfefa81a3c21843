import JSONCore
import Testing
import Timelines

@testable import DebugServer

/// A recorder whose connection the network lost without a word, so that the daemon still has it.
@Suite("A recorder that comes back")
struct ComingBackTests {
  private func hello(run: String) -> String {
    #"{"type":"hello","version":"1.0","run":"\#(run)"}"#
  }

  @Test("goes on with its timeline, and its old connection is closed")
  func sameRun() {
    var world = HubWorld()
    let old = world.recorder(hello(run: "r1"))
    world.say(Say.open(), as: old)
    world.say(Say.append([Say.entry(0)]), as: old)
    let new = world.recorder(hello(run: "r1"))
    _ = world.take(new)
    world.say(Say.open(), as: new)
    #expect(!world.take(new).contains { $0["type"] == "error" })
    #expect(world.closes[old]?.code == .normal)
    world.say(Say.append([Say.entry(1)]), as: new)
    #expect(world.take(new).contains { $0["type"] == "ack" && $0["durable"] == 1 })
    // The system learns later that the old one is gone.
    world.handle(.disconnected(old))
    world.say(Say.append([Say.entry(2)]), as: new)
    #expect(world.take(new).contains { $0["type"] == "ack" && $0["durable"] == 2 })
  }

  @Test("is refused when another run writes the timeline")
  func otherRun() {
    var world = HubWorld()
    let old = world.recorder(hello(run: "r1"))
    world.say(Say.open(), as: old)
    let other = world.recorder(hello(run: "r2"))
    world.say(Say.open(), as: other)
    #expect(world.take(other).contains { $0["code"] == "conflict" })
    #expect(world.closes[old] == nil)
  }
}
