import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Audit")
struct AuditTests {
  private func events(_ world: HubWorld) -> [String] {
    world.audited.map { "\($0.session) \($0.event)" }
  }

  @Test("a session's way in, what it looks at, and what it changes are recorded")
  func session() {
    var world = HubWorld()
    let code = world.code()
    let peer = world.connect(.inspector, .port)
    _ = world.signIn(peer, key: code.key, secret: code.secret)
    world.send(#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done())))
    world.send(
      #"{"type":"mark","id":2,"timeline":"\#(Say.timeline)","seq":3,"text":"x"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done())))
    world.send(#"{"type":"delete","id":3,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.deleted([Say.id]))
    #expect(
      events(world) == [
        "local code.issued", "s1 session.opened", "s1 timeline.viewed", "s1 entry.marked",
        "s1 timeline.deleted",
      ])
    #expect(world.audited.last?.timeline == Say.id)
    #expect(world.audited.last?.client == "a test")
  }

  @Test("a session that only looks cannot fill the file, and what was left out is counted")
  func flood() {
    var world = HubWorld()
    let peer = world.inspector()
    for id in 1...100 {
      world.send(#"{"type":"watch","id":\#(id),"timeline":"\#(Say.timeline)"}"#, as: peer)
      world.answerQuery(.message(.done(ToInspector.Done())))
    }
    #expect(world.audited.count == 30)
    world.send(
      #"{"type":"mark","id":101,"timeline":"\#(Say.timeline)","seq":3,"text":"x"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done())))
    #expect(world.audited.last?.event == "entry.marked")
    world.now += 60_000
    world.send(#"{"type":"watch","id":102,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done())))
    #expect(world.audited.count == 32)
    #expect(world.audited.last?.omitted == 70)
  }

  @Test("questions and refused requests are not recorded")
  func questions() {
    var world = HubWorld()
    let peer = world.inspector()
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    world.answerQuery(.message(.timelines(ToInspector.Timelines())))
    world.send(#"{"type":"delete","id":2,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.refused(Refusal(.notFound, "There is no such timeline.")))
    world.send(#"{"type":"revoke","id":3,"session":"s9"}"#, as: peer)
    #expect(world.audited.isEmpty)
  }

  @Test("the session that was ended is named next to the one that ended it")
  func revoking() {
    var world = HubWorld()
    let code = world.code()
    let peer = world.connect(.inspector, .port)
    _ = world.signIn(peer, key: code.key, secret: code.secret)
    let command = world.inspector()
    world.send(#"{"type":"revoke","id":1,"session":"s1"}"#, as: command)
    #expect(world.audited.last?.event == "session.revoked")
    #expect(world.audited.last?.session == "local")
    #expect(world.audited.last?.other == "s1")
  }

  @Test("a request is recorded although its sender does not wait for the answer")
  func withoutAnswer() {
    var world = HubWorld()
    let leaving = world.inspector()
    world.send(#"{"type":"delete","id":1,"timeline":"\#(Say.timeline)"}"#, as: leaving)
    world.handle(.disconnected(leaving))
    #expect(events(world) == ["local timeline.deleted"])
    let canceling = world.inspector()
    world.send(
      #"{"type":"export","id":1,"timeline":"\#(Say.timeline)","format":"timeline"}"#, as: canceling)
    world.send(#"{"type":"cancel","id":2,"request":1}"#, as: canceling)
    world.handle(.disconnected(canceling))
    #expect(events(world) == ["local timeline.deleted", "local timeline.exported"])
  }

  @Test("a file is imported with its last part, and not when its upload begins")
  func importing() {
    var world = HubWorld()
    let peer = world.inspector()
    world.send(#"{"type":"import","id":1,"name":"a.timeline","bytes":10}"#, as: peer)
    world.answerQuery(.message(.import(ToInspector.Import { $0.upload = "u1" })))
    for (id, isLast) in [(2, false), (3, true)] {
      #expect(world.audited.isEmpty)
      world.send(
        #"{"type":"part","id":\#(id),"upload":"u1","offset":0,"data":"","last":\#(isLast)}"#,
        as: peer)
      world.answerQuery(.message(.import(ToInspector.Import { $0.upload = "u1" })))
    }
    #expect(events(world) == ["local file.imported"])
  }

  @Test("control is recorded when it is requested, and renewals are not")
  func control() {
    var world = HubWorld()
    let recorder = world.recorder(#"{"type":"hello","version":"1.0","can":{"control":true}}"#)
    world.send(Say.open(), as: recorder)
    let peer = world.inspector("Ann")
    world.send(
      #"{"type":"hold","id":1,"timeline":"\#(Say.timeline)","policy":"queue"}"#, as: peer)
    let command = world.receive(as: recorder).last { $0["type"] == "hold" }
    let id = command?["id"]?.int ?? 0
    world.send(#"{"type":"done","re":\#(id)}"#, as: recorder)
    let lease = world.receive(as: peer).last { $0["type"] == "done" }?["lease"]?.string ?? ""
    world.send(
      #"{"type":"hold","id":2,"timeline":"\#(Say.timeline)","policy":"queue","lease":"\#(lease)"}"#,
      as: peer)
    world.send(
      #"{"type":"resume","id":3,"timeline":"\#(Say.timeline)","lease":"\#(lease)"}"#, as: peer)
    #expect(events(world) == ["local machine.held", "local machine.released"])
    #expect(world.audited.first?.client == "Ann")
  }
}
