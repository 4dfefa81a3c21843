import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Recorders with messages that cannot be read")
struct UnreadableMessageTests {
  @Test(
    "that send entries that cannot be read learn of which timeline, and nothing before is lost",
    arguments: [true, false])
  func unreadableEntries(isStoreQuick: Bool) {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.receive(as: peer)
    world.isStoreQuick = isStoreQuick
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    world.send(#"{"type":"append","timeline":"\#(Say.timeline)","entries":7}"#, as: peer)
    world.send(Say.append([Say.entry(2)]), as: peer)
    world.isStoreQuick = true
    world.runStore()
    let errors = world.receive(as: peer).filter { $0["type"] == "error" }
    #expect(errors.count == 2 && errors.allSatisfy { $0["timeline"]?.string == Say.timeline })
    #expect(errors.contains { $0["code"] == "wrong-type" && $0["path"] == "entries" })
    #expect(errors.contains { $0["code"] == "conflict" })
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1])
    #expect(world.closes.isEmpty)
  }

  @Test("that send another wrong message about a timeline learn of which")
  func wrongAboutTimeline() {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.receive(as: peer)
    for message in [
      #"{"type":"close","timeline":"\#(Say.timeline)","gap":7}"#,
      #"{"type":"open","header":{"timeline":"\#(Say.timeline)"}}"#,
    ] {
      world.send(message, as: peer)
      let answers = world.receive(as: peer)
      #expect(answers.map { $0["type"] } == ["error"])
      #expect(answers.first?["timeline"]?.string == Say.timeline, "\(message)")
    }
  }
}
