import JSONCore
import Testing
import TimelineStore
import Timelines

@testable import DebugServer

@Suite("Inspectors at the hub")
struct HubLookingTests {
  private static func summaries(_ timelines: [TimelineID]) -> [ToInspector.TimelineSummary] {
    timelines.compactMap { timeline in
      guard let header = try? JSONSlice(validating: Array(#"{"timeline":"\#(timeline)"}"#.utf8))
      else { return nil }
      return ToInspector.TimelineSummary { $0.header = header }
    }
  }

  @Test("may do what their session says", arguments: Capability.allCases)
  func capabilities(capability: Capability) {
    let table = HubWorld.session([capability])
    let timeline = #""timeline":"\#(Say.timeline)""#
    let asked: [(Capability, String)] = [
      (.look, #""type":"timelines""#),
      (.look, #""type":"state",\#(timeline),"seq":1"#),
      (.look, #""type":"compare",\#(timeline),"with":"\#(Say.timeline)""#),
      (.change, #""type":"delete",\#(timeline)"#),
      // These run an app's code.
      (.change, #""type":"state",\#(timeline),"seq":1,"compute":true"#),
      (.change, #""type":"compute",\#(timeline),"from":1,"to":2"#),
      (.change, #""type":"verify",\#(timeline)"#),
      (.change, #""type":"verify",\#(timeline),"processes":8"#),
      (.change, #""type":"compare",\#(timeline)"#),
      (.change, #""type":"compare",\#(timeline),"host":"App""#),
      (.control, #""type":"step",\#(timeline),"lease":"x""#),
      (.host, #""type":"host","executable":"/bin/true""#),
    ]
    for (needed, body) in asked {
      var world = HubWorld(sessions: table)
      let peer = world.connect(.inspector, .port)
      _ = world.signIn(peer, key: "s1", secret: "t1")
      world.say("{\(body),\"id\":1}", as: peer)
      let isForbidden = world.take(peer).contains { $0["code"] == "forbidden" }
      #expect(isForbidden == (needed != capability), "\(capability) asks for \(body)")
    }
  }

  @Test("have few questions worked on at once, and all of them answered")
  func line() {
    var world = HubWorld { $0.questionsAtOnce = 2 }
    let peer = world.inspector()
    _ = world.take(peer)
    for id in 1...5 { world.say(#"{"type":"timelines","id":\#(id)}"#, as: peer) }
    #expect(world.looks.count == 2)
    var answered: [Int64?] = []
    while !world.looks.isEmpty {
      world.answerLook(.message(.timelines(ToInspector.Timelines())))
      answered += world.take(peer).map { $0["re"]?.int }
    }
    #expect(answered == [1, 2, 3, 4, 5])
  }

  @Test("cannot have more under way than allowed, nor two with one id")
  func limits() {
    var world = HubWorld { $0.requestsInFlight = 2 }
    let peer = world.inspector()
    _ = world.take(peer)
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    #expect(world.take(peer).map { $0["code"] } == ["conflict"])
    world.say(#"{"type":"timelines","id":"two"}"#, as: peer)
    world.say(#"{"type":"timelines","id":3}"#, as: peer)
    #expect(world.take(peer).map { $0["code"] } == ["limit"])
  }

  @Test("have a request superseded by the next in its slot, and cancelled when they say so")
  func superseded() {
    var world = HubWorld()
    let peer = world.inspector()
    _ = world.take(peer)
    let state = #""type":"state","timeline":"\#(Say.timeline)","slot":"cursor""#
    world.say("{\(state),\"id\":1,\"seq\":1}", as: peer)
    let first = world.looks.first?.ticket
    world.say("{\(state),\"id\":2,\"seq\":2}", as: peer)
    #expect(world.take(peer).map { [$0["re"], $0["code"]] } == [[1, "superseded"]])
    #expect(world.cancelled == [first])
    world.say(#"{"type":"cancel","id":3,"request":2}"#, as: peer)
    let answers = world.take(peer)
    #expect(answers.map { $0["re"] } == [2, 3])
    #expect(answers.map { $0["type"] } == ["error", "done"])
    world.say(#"{"type":"cancel","id":4,"request":2}"#, as: peer)
    #expect(world.take(peer).first?["code"] == "not-found")
    #expect(world.looks.isEmpty)
  }

  @Test("have only the newest of a slot wait in line, however often they ask")
  func lineOfSlot() {
    var world = HubWorld { $0.questionsAtOnce = 1 }
    let peer = world.inspector()
    _ = world.take(peer)
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    let state = #""type":"state","timeline":"\#(Say.timeline)","slot":"cursor""#
    for id in 2...200 { world.say("{\(state),\"id\":\(id),\"seq\":\(id)}", as: peer) }
    #expect(world.take(peer).count { $0["code"] == "superseded" } == 198)
    #expect(world.hub.inspectors[peer]?.line.map { $0.id } == [.number(200)])
    world.answerLook(.message(.timelines(ToInspector.Timelines())))
    guard case .request(.state(let asked))? = world.looks.first?.question else {
      Issue.record("the newest is asked next")
      return
    }
    #expect(asked.seq == 200)
    #expect(world.looks.count == 1)
  }

  @Test("get no answer to a question that was cancelled in line, when its id is used again")
  func cancelledInLine() {
    var world = HubWorld { $0.questionsAtOnce = 1 }
    let peer = world.inspector()
    _ = world.take(peer)
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    world.say(#"{"type":"raw","id":2,"timeline":"\#(Say.timeline)","seq":0}"#, as: peer)
    world.say(#"{"type":"cancel","id":3,"request":2}"#, as: peer)
    #expect(world.take(peer).map { $0["re"] } == [2, 3])
    world.say(#"{"type":"status","id":2}"#, as: peer)
    world.answerLook(.message(.timelines(ToInspector.Timelines())))
    #expect(world.looks.count == 1)
    guard case .request(.status)? = world.looks.first?.question else {
      Issue.record("the question that was cancelled is asked in place of the new one")
      return
    }
  }

  @Test("that read slowly get fewer updates, each telling more, and never a queue")
  func slow() {
    var world = HubWorld()
    let recorder = world.recorder()
    world.say(Say.open(), as: recorder)
    world.say(Say.append(Say.entries(0...0)), as: recorder)
    let peer = world.inspector()
    world.say(#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerLook(.message(.done(ToInspector.Done { $0.seq = 0 })))
    _ = world.take(peer)
    world.drain(peer)
    for seq in Int64(1)...50 {
      world.now += 20
      world.say(Say.append(Say.entries(seq...seq)), as: recorder)
    }
    #expect(world.looks.count == 1, "one question is on its way, whatever comes")
    guard case .follow(_, 0, nil)? = world.looks.first?.question else {
      Issue.record("it asks for what comes after 0")
      return
    }
    world.answerLook(
      .message(
        .live(
          ToInspector.Live {
            $0.timeline = Say.id
            $0.last = 30
          })))
    #expect(world.types(peer) == ["live"])
    #expect(world.looks.isEmpty, "it has not taken that one yet")
    world.now += 20
    world.drain(peer)
    guard case .follow(_, 30, nil)? = world.looks.first?.question else {
      Issue.record("it goes on after 30")
      return
    }
  }

  @Test("that take nothing are not read, and closed after a minute")
  func stuck() {
    var world = HubWorld { $0.queuedBytes = 1_000 }
    let peer = world.inspector()
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    let many = Self.summaries((0..<20).map { _ in .random() })
    world.answerLook(.message(.timelines(ToInspector.Timelines { $0.timelines = many })))
    #expect(world.isRead[peer] == false)
    world.say(#"{"type":"timelines","id":2}"#, as: peer)
    #expect(world.looks.isEmpty, "no more is looked up for it")
    world.wait(30_000)
    #expect(world.closes[peer] == nil)
    world.wait(30_000)
    #expect(world.closes[peer]?.code == .idle)
  }

  @Test("that take a large answer slowly are not closed, and those that stop in the middle are")
  func slowReaders() {
    var world = HubWorld { $0.queuedBytes = 1_000 }
    let peer = world.inspector()
    world.say(#"{"type":"timelines","id":1}"#, as: peer)
    let many = Self.summaries((0..<20).map { _ in .random() })
    world.answerLook(.message(.timelines(ToInspector.Timelines { $0.timelines = many })))
    for minute in 1...60 {
      world.sent[peer] = minute * 1_000
      world.wait(60_000)
      #expect(world.closes[peer] == nil, "after \(minute) minutes")
    }
    world.wait(60_000)
    #expect(world.closes[peer]?.code == .idle)
  }

  @Test("learn which timelines are new, changed and gone")
  func list() {
    var world = HubWorld()
    let (recorder, peer) = (world.recorder(), world.inspector())
    world.drain(peer)
    world.say(#"{"type":"watch","id":1}"#, as: peer)
    world.drain(peer)
    _ = world.take(peer)
    world.say(Say.open(), as: recorder)
    world.answerLook(.summaries(Self.summaries([Say.id])))
    let told = world.take(peer).first
    #expect(told?["type"] == "timeline")
    #expect(told?["timeline"]?["live"] == true)
    world.drain(peer)
    world.now += 20
    world.handle(.disconnected(recorder))
    world.answerLook(.summaries(Self.summaries([Say.id])))
    #expect(world.take(peer).first?["timeline"]?["live"] == nil)
    world.drain(peer)
    world.now += 20
    world.say(#"{"type":"delete","id":2,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerLook(.deleted([Say.id]))
    world.drain(peer)
    world.wait(20)
    #expect(world.types(peer) == ["done", "gone"])
  }

  @Test("are told when what is kept is limited: what is gone, and what lost its beginning")
  func limited() {
    var world = HubWorld()
    let peer = world.inspector()
    world.drain(peer)
    world.say(#"{"type":"watch","id":1}"#, as: peer)
    world.drain(peer)
    _ = world.take(peer)
    let (gone, cut) = (TimelineID.random(), TimelineID.random())
    var pruned = Pruned()
    pruned.deleted = [gone]
    pruned.shortened = [cut]
    world.handle(.limited(pruned))
    #expect(world.types(peer) == ["gone"])
    world.drain(peer)
    world.wait(20)
    world.answerLook(.summaries(Self.summaries([cut])))
    #expect(world.types(peer) == ["timeline"])
  }

  @Test(
    "see in the list what is live and what can be controlled, which no wrapped reducer can",
    arguments: ["states", "reducer"])
  func live(kind: String) throws {
    var world = HubWorld()
    let recorder = world.recorder(#"{"type":"hello","version":"1.0","can":{"control":true}}"#)
    world.say(Say.open(), as: recorder)
    let peer = world.inspector()
    _ = world.take(peer)
    world.say(#"{"type":"timelines","id":1,"live":true}"#, as: peer)
    var all = Self.summaries([Say.id, .random()])
    let header = #"{"timeline":"\#(Say.timeline)","machine":{"kind":"\#(kind)"}}"#
    all[0].header = try JSONSlice(validating: Array(header.utf8))
    world.answerLook(.message(.timelines(ToInspector.Timelines { $0.timelines = all })))
    let list = world.take(peer).first?["timelines"]
    #expect(list?.array?.count == 1)
    #expect((list?[0]?["controllable"] == true) == (kind == "states"))
  }

  @Test("are told the truth about hosts")
  func hosts() {
    var world = HubWorld()
    let recorder = world.recorder(
      #"{"type":"hello","version":"1.0","run":"r1","can":{"host":{"place":"live","makes":["A()"]}}}"#
    )
    let peer = world.inspector()
    _ = world.take(peer)
    world.say(#"{"type":"hosts","id":1}"#, as: peer)
    #expect(
      world.take(peer).first?["hosts"] == [["name": "r1", "place": "live", "makes": ["A()"]]])
    world.handle(.disconnected(recorder))
    world.say(#"{"type":"hosts","id":2}"#, as: peer)
    #expect(world.take(peer).first?["hosts"] == [])
  }

  @Test("that leave take their questions and files with them")
  func leaving() {
    var world = HubWorld()
    let peer = world.inspector()
    world.say(#"{"type":"import","id":1,"name":"x","bytes":9}"#, as: peer)
    world.answerLook(.message(.import(ToInspector.Import { $0.upload = "u1" })))
    world.say(#"{"type":"timelines","id":2}"#, as: peer)
    let ticket = world.looks.first?.ticket
    world.handle(.disconnected(peer))
    #expect(world.cancelled == [ticket])
    guard case .abandon("u1")? = world.looks.first?.question else {
      Issue.record("its file is given up")
      return
    }
  }

  @Test("that ask for a file and do not wait for its beginning leave no place taken")
  func cancelledUpload() throws {
    var world = HubWorld()
    let peer = world.inspector()
    world.say(#"{"type":"import","id":1,"name":"x","bytes":9}"#, as: peer)
    let ticket = try #require(world.looks.first?.ticket)
    world.say(#"{"type":"cancel","id":2,"request":1}"#, as: peer)
    #expect(world.cancelled == [ticket])
    // It was begun before that was heard.
    let begun = ToInspector.Import { $0.upload = "u1" }
    world.handle(.answered(ticket, .message(.import(begun))))
    guard case .abandon("u1")? = world.looks.first?.question else {
      Issue.record("its file is given up")
      return
    }
  }
}
