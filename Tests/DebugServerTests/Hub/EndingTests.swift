import JSONCore
import Testing
import Timelines

@testable import DebugServer

@Suite("Recorders whose timeline ends on a connection")
struct HubEndingTests {
  @Test("who go on after they closed a timeline get one answer, whenever that is")
  func appendAfterClose() {
    let close = #"{"type":"close","timeline":"\#(Say.timeline)"}"#
    // How much of the store's work is done between the close and what comes after it.
    for steps in 0...5 {
      var world = HubWorld()
      let peer = world.recorder()
      world.isStoreQuick = false
      world.say(Say.open(), as: peer)
      world.say(Say.append(Say.entries(0...1)), as: peer)
      world.say(close, as: peer)
      for _ in 0..<steps { world.storeStep() }
      _ = world.take(peer)
      let late = Say.append(Say.entries(2...2))
      world.say(late, as: peer)
      let error = world.take(peer).first { $0["type"] == "error" }
      #expect(error?["code"] == "conflict", "after \(steps) steps")
      #expect(error?["timeline"]?.string == Say.timeline)
      world.say(close, as: peer)
      #expect(world.take(peer).first { $0["type"] == "error" }?["code"] == "conflict")
      world.runStore()
      #expect(world.stored[Say.id]?.map(\.seq) == [0, 1])
      world.say(Say.open(), as: peer)
      world.runStore()
      world.say(late, as: peer)
      world.runStore()
      #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2], "it may be opened again")
    }
  }

  @Test("whose patch the store refuses learn which one, and that what is before it is durable")
  func cut() {
    var world = HubWorld()
    let peer = world.recorder()
    world.say(Say.open(), as: peer)
    _ = world.take(peer)
    world.refusesFrom = 2
    world.say(Say.append(Say.entries(0...4)), as: peer)
    let answers = world.take(peer)
    #expect(answers.map { $0["type"] } == ["ack", "credit", "error"])
    #expect(answers.first?["durable"] == 1)
    let error = answers.last
    #expect(error?["code"] == "wrong-value" && error?["path"] == "patch")
    #expect(error?["timeline"]?.string == Say.timeline)
    #expect(error?["message"]?.string?.contains("entry 2") == true)
    world.say(Say.append(Say.entries(5...5)), as: peer)
    #expect(world.take(peer).first?["code"] == "conflict")
    world.refusesFrom = nil
    let other = world.recorder()
    world.say(Say.open(), as: other)
    world.say(Say.append(Say.entries(2...4)), as: other)
    #expect(world.take(other).contains { $0["durable"] == 4 })
  }

  @Test("who name a timeline in upper case are told, since every answer has it in lower case")
  func upperCase() {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.take(peer)
    world.say(Say.open(Say.timeline.uppercased()), as: peer)
    let answer = world.take(peer).first
    #expect(answer?["code"] == "wrong-value" && answer?["path"] == "header.timeline")
    #expect(answer?["message"]?.string?.contains(Say.timeline) == true)
    #expect(world.stored[Say.id] == nil)
  }
}
