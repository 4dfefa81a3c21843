import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Inspectors at the hub")
struct HubInspectorTests {
  static func summaries(_ timelines: [TimelineID]) -> [ToInspector.TimelineSummary] {
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
      world.send("{\(body),\"id\":1}", as: peer)
      let isForbidden = world.receive(as: peer).contains { $0["code"] == "forbidden" }
      #expect(isForbidden == (needed != capability), "\(capability) asks for \(body)")
    }
  }

  @Test("have few queries running at once, and all of them answered")
  func line() {
    var world = HubWorld { $0.maximumRunningQueries = 2 }
    let peer = world.inspector()
    _ = world.receive(as: peer)
    for id in 1...5 { world.send(#"{"type":"timelines","id":\#(id)}"#, as: peer) }
    #expect(world.queries.count == 2)
    var answered: [Int64?] = []
    while !world.queries.isEmpty {
      world.answerQuery(.message(.timelines(ToInspector.Timelines())))
      answered += world.receive(as: peer).map { $0["re"]?.int }
    }
    #expect(answered == [1, 2, 3, 4, 5])
  }

  @Test("cannot have more under way than allowed, nor two with one id")
  func limits() {
    var world = HubWorld { $0.requestsInFlight = 2 }
    let peer = world.inspector()
    _ = world.receive(as: peer)
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    #expect(world.receive(as: peer).map { $0["code"] } == ["conflict"])
    world.send(#"{"type":"timelines","id":"two"}"#, as: peer)
    world.send(#"{"type":"timelines","id":3}"#, as: peer)
    #expect(world.receive(as: peer).map { $0["code"] } == ["limit"])
  }

  @Test("have a request superseded by the next in its slot, and canceled when they say so")
  func superseded() {
    var world = HubWorld()
    let peer = world.inspector()
    _ = world.receive(as: peer)
    let state = #""type":"state","timeline":"\#(Say.timeline)","slot":"cursor""#
    world.send("{\(state),\"id\":1,\"seq\":1}", as: peer)
    let first = world.queries.first?.ticket
    world.send("{\(state),\"id\":2,\"seq\":2}", as: peer)
    #expect(world.receive(as: peer).map { [$0["re"], $0["code"]] } == [[1, "superseded"]])
    #expect(world.canceled == [first])
    world.send(#"{"type":"cancel","id":3,"request":2}"#, as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["re"] } == [2, 3])
    #expect(answers.map { $0["type"] } == ["error", "done"])
    world.send(#"{"type":"cancel","id":4,"request":2}"#, as: peer)
    #expect(world.receive(as: peer).first?["code"] == "not-found")
    #expect(world.queries.isEmpty)
  }

  @Test("have only the newest of a slot wait in line, however often they ask")
  func lineOfSlot() {
    var world = HubWorld { $0.maximumRunningQueries = 1 }
    let peer = world.inspector()
    _ = world.receive(as: peer)
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    let state = #""type":"state","timeline":"\#(Say.timeline)","slot":"cursor""#
    for id in 2...200 { world.send("{\(state),\"id\":\(id),\"seq\":\(id)}", as: peer) }
    #expect(world.receive(as: peer).count { $0["code"] == "superseded" } == 198)
    #expect(world.hub.inspectors[peer]?.line.map { $0.id } == [.number(200)])
    world.answerQuery(.message(.timelines(ToInspector.Timelines())))
    guard case .request(.state(let asked))? = world.queries.first?.query else {
      Issue.record("the newest is asked next")
      return
    }
    #expect(asked.seq == 200)
    #expect(world.queries.count == 1)
  }

  @Test("get no answer to a query that was canceled before it ran, when its id is used again")
  func canceledInLine() {
    var world = HubWorld { $0.maximumRunningQueries = 1 }
    let peer = world.inspector()
    _ = world.receive(as: peer)
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    world.send(#"{"type":"raw","id":2,"timeline":"\#(Say.timeline)","seq":0}"#, as: peer)
    world.send(#"{"type":"cancel","id":3,"request":2}"#, as: peer)
    #expect(world.receive(as: peer).map { $0["re"] } == [2, 3])
    world.send(#"{"type":"status","id":2}"#, as: peer)
    world.answerQuery(.message(.timelines(ToInspector.Timelines())))
    #expect(world.queries.count == 1)
    guard case .request(.status)? = world.queries.first?.query else {
      Issue.record("the question that was canceled is asked in place of the new one")
      return
    }
  }

  @Test("that read slowly get fewer updates, each telling more, and never a queue")
  func slow() {
    var world = HubWorld()
    let recorder = world.recorder()
    world.send(Say.open(), as: recorder)
    world.send(Say.append(Say.entries(0...0)), as: recorder)
    let peer = world.inspector()
    world.send(#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 0 })))
    _ = world.receive(as: peer)
    world.drain(peer)
    for seq in Int64(1)...50 {
      world.now += 20
      world.send(Say.append(Say.entries(seq...seq)), as: recorder)
    }
    #expect(world.queries.count == 1, "one question is on its way, whatever comes")
    guard case .follow(_, 0, nil)? = world.queries.first?.query else {
      Issue.record("it asks for what comes after 0")
      return
    }
    world.answerQuery(
      .message(
        .live(
          ToInspector.Live {
            $0.timeline = Say.id
            $0.last = 30
          })))
    #expect(world.types(peer) == ["live"])
    #expect(world.queries.isEmpty, "it has not taken that one yet")
    world.now += 20
    world.drain(peer)
    guard case .follow(_, 30, nil)? = world.queries.first?.query else {
      Issue.record("it goes on after 30")
      return
    }
  }

  @Test("get news later that could not be read at first, at increasing intervals")
  func unreadable() {
    var world = HubWorld()
    let recorder = world.recorder()
    world.send(Say.open(), as: recorder)
    world.send(Say.append(Say.entries(0...0)), as: recorder)
    let peer = world.inspector()
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    world.send(#"{"type":"watch","id":2,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 0 })))
    world.drain(peer)
    _ = world.receive(as: peer)
    world.wait(20)
    world.send(Say.append(Say.entries(1...1)), as: recorder)
    let failure = QueryResult.refused(Refusal(.failed, "The disk fails."))
    // Both the entry and the summary, which has changed with the recorder's end.
    world.handle(.disconnected(recorder))
    world.wait(20)
    #expect(world.queries.count == 2)
    while !world.queries.isEmpty { world.answerQuery(failure) }
    for pause in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] as [Int64] {
      world.wait(pause - 20)
      #expect(world.queries.isEmpty, "less than \(pause) ms have passed")
      // News are at least 16 ms apart, whatever they are about.
      world.wait(40)
      world.drain(peer)
      #expect(world.queries.count == 2)
      while !world.queries.isEmpty { world.answerQuery(failure) }
    }
    world.wait(60_000)
    for look in world.queries {
      switch look.query {
      case .follow(_, let after, _): #expect(after == 0)
      case .summaries(let timelines): #expect(timelines == [Say.id])
      default: Issue.record("\(look.query)")
      }
    }
    #expect(world.queries.count == 2)
  }

  @Test("that take nothing are not read, and closed after a minute")
  func stuck() {
    var world = HubWorld { $0.queuedBytes = 1_000 }
    let peer = world.inspector()
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    let many = Self.summaries((0..<20).map { _ in .random() })
    world.answerQuery(.message(.timelines(ToInspector.Timelines { $0.timelines = many })))
    #expect(world.isRead[peer] == false)
    world.send(#"{"type":"timelines","id":2}"#, as: peer)
    #expect(world.queries.isEmpty, "no more is looked up for it")
    world.wait(30_000)
    #expect(world.closes[peer] == nil)
    world.wait(30_000)
    #expect(world.closes[peer]?.code == .idle)
  }

  @Test("that take a large answer slowly are not closed, and those that stop in the middle are")
  func slowReaders() {
    var world = HubWorld { $0.queuedBytes = 1_000 }
    let peer = world.inspector()
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    let many = Self.summaries((0..<20).map { _ in .random() })
    world.answerQuery(.message(.timelines(ToInspector.Timelines { $0.timelines = many })))
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
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    world.drain(peer)
    _ = world.receive(as: peer)
    world.send(Say.open(), as: recorder)
    world.answerQuery(.summaries(Self.summaries([Say.id])))
    let reported = world.receive(as: peer).first
    #expect(reported?["type"] == "timeline")
    #expect(reported?["timeline"]?["live"] == true)
    world.drain(peer)
    world.now += 20
    world.handle(.disconnected(recorder))
    world.answerQuery(.summaries(Self.summaries([Say.id])))
    #expect(world.receive(as: peer).first?["timeline"]?["live"] == nil)
    world.drain(peer)
    world.now += 20
    world.send(#"{"type":"delete","id":2,"timeline":"\#(Say.timeline)"}"#, as: peer)
    world.answerQuery(.deleted([Say.id]))
    world.drain(peer)
    world.wait(20)
    #expect(world.types(peer) == ["done", "gone"])
  }

  @Test("learn the last count of a timeline whose recorder left before its entries were stored")
  func lastCount() {
    var world = HubWorld()
    let (recorder, peer) = (world.recorder(), world.inspector())
    world.drain(peer)
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    world.drain(peer)
    world.send(Say.open(), as: recorder)
    world.answerQuery(.summaries(Self.summaries([Say.id])))
    world.drain(peer)
    world.now += 20
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...3)), as: recorder)
    world.handle(.disconnected(recorder))
    // The count before the entries are durable.
    world.answerQuery(.summaries(Self.summaries([Say.id])))
    world.drain(peer)
    world.wait(20)
    #expect(world.queries.isEmpty)
    world.runStore()
    world.drain(peer)
    world.wait(20)
    guard case .summaries([Say.id])? = world.queries.first?.query else {
      Issue.record("the list keeps the count from before")
      return
    }
  }

  @Test("are notified of retention: deleted timelines, and shortened ones")
  func limited() {
    var world = HubWorld()
    let peer = world.inspector()
    world.drain(peer)
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    world.drain(peer)
    _ = world.receive(as: peer)
    let (gone, cut) = (TimelineID.random(), TimelineID.random())
    var pruned = Pruned()
    pruned.deleted = [gone]
    pruned.shortened = [cut]
    world.handle(.limited(pruned))
    #expect(world.types(peer) == ["gone"])
    world.drain(peer)
    world.wait(20)
    world.answerQuery(.summaries(Self.summaries([cut])))
    #expect(world.types(peer) == ["timeline"])
  }

  @Test(
    "see in the list what is live and what can be controlled, except wrapped reducers",
    arguments: ["states", "reducer"])
  func live(kind: String) throws {
    var world = HubWorld()
    let recorder = world.recorder(#"{"type":"hello","version":"1.0","can":{"control":true}}"#)
    world.send(Say.open(), as: recorder)
    let peer = world.inspector()
    _ = world.receive(as: peer)
    world.send(#"{"type":"timelines","id":1,"live":true}"#, as: peer)
    var all = Self.summaries([Say.id, .random()])
    let header = #"{"timeline":"\#(Say.timeline)","machine":{"kind":"\#(kind)"}}"#
    all[0].header = try JSONSlice(validating: Array(header.utf8))
    world.answerQuery(.message(.timelines(ToInspector.Timelines { $0.timelines = all })))
    let list = world.receive(as: peer).first?["timelines"]
    #expect(list?.array?.count == 1)
    #expect((list?[0]?["controllable"] == true) == (kind == "states"))
  }

  @Test("get correct reports about hosts")
  func hosts() {
    var world = HubWorld()
    let recorder = world.recorder(
      #"{"type":"hello","version":"1.0","run":"r1","can":{"host":{"place":"live","makes":["A()"]}}}"#
    )
    let peer = world.inspector()
    _ = world.receive(as: peer)
    world.send(#"{"type":"hosts","id":1}"#, as: peer)
    #expect(
      world.receive(as: peer).first?["hosts"] == [
        ["name": "r1", "place": "live", "makes": ["A()"]]
      ])
    world.handle(.disconnected(recorder))
    world.send(#"{"type":"hosts","id":2}"#, as: peer)
    #expect(world.receive(as: peer).first?["hosts"] == [])
  }

  @Test("that leave take their questions and files with them")
  func leaving() {
    var world = HubWorld()
    let peer = world.inspector()
    world.send(#"{"type":"import","id":1,"name":"x","bytes":9}"#, as: peer)
    world.answerQuery(.message(.import(ToInspector.Import { $0.upload = "u1" })))
    world.send(#"{"type":"timelines","id":2}"#, as: peer)
    let ticket = world.queries.first?.ticket
    world.handle(.disconnected(peer))
    #expect(world.canceled == [ticket])
    guard case .abandon("u1")? = world.queries.first?.query else {
      Issue.record("its file is given up")
      return
    }
  }

  @Test("that ask for a file and do not wait for its beginning leave no place taken")
  func canceledUpload() throws {
    var world = HubWorld()
    let peer = world.inspector()
    world.send(#"{"type":"import","id":1,"name":"x","bytes":9}"#, as: peer)
    let ticket = try #require(world.queries.first?.ticket)
    world.send(#"{"type":"cancel","id":2,"request":1}"#, as: peer)
    #expect(world.canceled == [ticket])
    // It was begun before that was heard.
    let begun = ToInspector.Import { $0.upload = "u1" }
    world.handle(.answered(ticket, .message(.import(begun))))
    guard case .abandon("u1")? = world.queries.first?.query else {
      Issue.record("its file is given up")
      return
    }
  }
}
