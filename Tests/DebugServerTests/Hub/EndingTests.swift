import JSONCore
import Testing
import Timelines

@testable import DebugServer

@Suite("Recorders whose timeline ends on a connection")
struct HubEndingTests {
  @Test("that continue after they closed a timeline get one answer")
  func appendAfterClose() {
    let close = #"{"type":"close","timeline":"\#(Say.timeline)"}"#
    // How much of the store's work is done between the close and what comes after it.
    for steps in 0...5 {
      var world = HubWorld()
      let peer = world.recorder()
      world.isStoreQuick = false
      world.send(Say.open(), as: peer)
      world.send(Say.append(Say.entries(0...1)), as: peer)
      world.send(close, as: peer)
      for _ in 0..<steps { world.storeStep() }
      _ = world.receive(as: peer)
      let late = Say.append(Say.entries(2...2))
      world.send(late, as: peer)
      let error = world.receive(as: peer).first { $0["type"] == "error" }
      #expect(error?["code"] == "conflict", "after \(steps) steps")
      #expect(error?["timeline"]?.string == Say.timeline)
      world.send(close, as: peer)
      #expect(world.receive(as: peer).first { $0["type"] == "error" }?["code"] == "conflict")
      world.runStore()
      #expect(world.stored[Say.id]?.map(\.seq) == [0, 1])
      world.send(Say.open(), as: peer)
      world.runStore()
      world.send(late, as: peer)
      world.runStore()
      #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2], "it may be opened again")
    }
  }

  @Test("whose patch the store refuses learn which one, and that earlier entries are durable")
  func cut() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    _ = world.receive(as: peer)
    world.refusesFrom = 2
    world.send(Say.append(Say.entries(0...4)), as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["type"] } == ["ack", "credit", "error"])
    #expect(answers.first?["durable"] == 1)
    let error = answers.last
    #expect(error?["code"] == "wrong-value" && error?["path"] == "patch")
    #expect(error?["timeline"]?.string == Say.timeline)
    #expect(error?["message"]?.string?.contains("entry 2") == true)
    world.send(Say.append(Say.entries(5...5)), as: peer)
    #expect(world.receive(as: peer).first?["code"] == "conflict")
    world.refusesFrom = nil
    let other = world.recorder()
    world.send(Say.open(), as: other)
    world.send(Say.append(Say.entries(2...4)), as: other)
    #expect(world.receive(as: other).contains { $0["durable"] == 4 })
  }

  @Test("whose patch only costs too much are refused with a limit")
  func costly() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    _ = world.receive(as: peer)
    world.refusesFrom = 1
    world.refusal = PatchError(.copiesTooMuch(limit: 1), operation: 0, path: nil)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    let error = world.receive(as: peer).last
    #expect(error?["code"] == "limit" && error?["path"] == "patch")
  }

  @Test("that name a timeline in upper case are refused, because every answer has it in lower case")
  func upperCase() {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.receive(as: peer)
    world.send(Say.open(Say.timeline.uppercased()), as: peer)
    let answer = world.receive(as: peer).first
    #expect(answer?["code"] == "wrong-value" && answer?["path"] == "header.timeline")
    #expect(answer?["message"]?.string?.contains(Say.timeline) == true)
    #expect(world.stored[Say.id] == nil)
  }

  @Test(
    "whose header lacks a key learn which one",
    arguments: [
      ("timeline", #""timeline":"#), ("app", #""app":"#), ("app.name", #""name":"Commute""#),
      ("machine", #""machine":"#), ("machine.type", #""type":"A.B","#),
      ("started", #""started":"#), ("format", #""format":"#),
    ])
  func missingKey(key: String, member: String) throws {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.receive(as: peer)
    try #require(Say.open().contains(member))
    world.send(Say.open().replacing(member, with: "\"x-" + member.dropFirst()), as: peer)
    let answer = try #require(world.receive(as: peer).first)
    #expect(answer["code"] == "missing")
    #expect(answer["path"]?.string == "header.\(key)")
    #expect(answer["message"]?.string == "The key 'header.\(key)' is missing.")
    #expect(answer["timeline"]?.string == (key == "timeline" ? nil : Say.timeline))
  }
}
