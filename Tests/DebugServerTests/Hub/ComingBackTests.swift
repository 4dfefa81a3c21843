import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer

/// A recorder whose connection the network lost without a word, so that the daemon still has it.
@Suite("A recorder that reconnects")
struct ComingBackTests {
  private func hello(run: String) -> String {
    #"{"type":"hello","version":"1.0","run":"\#(run)"}"#
  }

  @Test("continues its timeline, and its old connection is closed")
  func sameRun() {
    var world = HubWorld()
    let old = world.recorder(hello(run: "r1"))
    world.send(Say.open(), as: old)
    world.send(Say.append([Say.entry(0)]), as: old)
    let new = world.recorder(hello(run: "r1"))
    _ = world.receive(as: new)
    world.send(Say.open(), as: new)
    #expect(!world.receive(as: new).contains { $0["type"] == "error" })
    #expect(world.closes[old]?.code == .normal)
    world.send(Say.append([Say.entry(1)]), as: new)
    #expect(world.receive(as: new).contains { $0["type"] == "ack" && $0["durable"] == 1 })
    // The system learns later that the old one is gone.
    world.handle(.disconnected(old))
    world.send(Say.append([Say.entry(2)]), as: new)
    #expect(world.receive(as: new).contains { $0["type"] == "ack" && $0["durable"] == 2 })
  }

  @Test("closes its timeline again when it could not know that the first time counted")
  func lostWhileClosing() {
    let close = #"{"type":"close","timeline":"\#(Say.timeline)"}"#
    // How much of the store's work is done when the connection is lost.
    for steps in 0...4 {
      var world = HubWorld()
      let old = world.recorder(hello(run: "r1"))
      world.isStoreQuick = false
      world.send(Say.open(), as: old)
      world.send(Say.append(Say.entries(0...1)), as: old)
      world.send(close, as: old)
      for _ in 0..<steps { world.storeStep() }
      world.handle(.disconnected(old))
      let new = world.recorder(hello(run: "r1"))
      world.greet()
      _ = world.receive(as: new)
      world.send(Say.open(), as: new)
      world.send(Say.append(Say.entries(0...1)), as: new)
      world.storeStep()
      world.send(close, as: new)
      world.runStore()
      let answers = world.receive(as: new)
      #expect(!answers.contains { $0["type"] == "error" }, "after \(steps) steps: \(answers)")
      #expect(answers.contains { $0["type"] == "ack" && $0["durable"] == 1 })
      #expect(world.stored[Say.id]?.map(\.seq) == [0, 1])
      #expect(world.work.isEmpty)
      #expect(world.hub.waitingBytes == 0)
      #expect(world.finished[Say.id] != nil)
    }
  }

  @Test("is refused when another run writes the timeline")
  func otherRun() {
    var world = HubWorld()
    let old = world.recorder(hello(run: "r1"))
    world.send(Say.open(), as: old)
    let other = world.recorder(hello(run: "r2"))
    world.send(Say.open(), as: other)
    #expect(world.receive(as: other).contains { $0["code"] == "conflict" })
    #expect(world.closes[old] == nil)
  }
}
