import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer

@Suite("Keys for programs")
struct KeyTests {
  static func issue(
    _ world: inout HubWorld, _ wish: String = ""
  ) -> (answer: JSON, name: String, secret: String) {
    let local = world.inspector()
    _ = world.receive(as: local)
    world.send(#"{"type":"invite","id":1,"key":true\#(wish)}"#, as: local)
    let answer = world.receive(as: local).first ?? .null
    let parts = (answer["code"]?.string ?? "").split(separator: ".").map(String.init)
    return (answer, parts.first ?? "", parts.last ?? "")
  }

  @Test("are sessions that can push and nothing else, and are saved with their end")
  func pushes() throws {
    var world = HubWorld()
    let key = Self.issue(&world, #","seconds":60,"client":"ci""#)
    #expect(key.answer["seconds"]?.int == 60)
    let saved = try #require(world.saved?.sessions.first)
    #expect(saved.client == "ci" && saved.capabilities == [.push])
    #expect(saved.expires == Timestamp(microseconds: 60_000_000))
    let ci = world.connect(.inspector, .port)
    let welcome = world.signIn(ci, key: key.name, secret: key.secret)
    #expect(welcome["capabilities"] == ["push"])
    for request in [#""timelines""#, #""prune","bytes":0"#, #""watch""#, #""sessions""#] {
      world.send(#"{"type":\#(request),"id":5}"#, as: ci)
      #expect(
        world.receive(as: ci).first?["message"]?.string
          == "This key can only push timelines. To get a session that can do more, run: debugd open"
      )
    }
    world.isDiskFull = true
    #expect(world.receive(as: ci).isEmpty, "notices are for those who look")
    let texts = world.logged.map { "\($0.message) \($0.fields)" }
    #expect(!texts.contains { $0.contains(key.secret) })
  }

  @Test("add nothing to a timeline whose copy they did not begin")
  func foreignCopies() {
    var world = HubWorld()
    let key = Self.issue(&world)
    let ci = world.connect(.inspector, .port)
    _ = world.signIn(ci, key: key.name, secret: key.secret)
    for request in [#""deposit","chunks":[]"#, #""finish","closed":true"#] {
      world.send(#"{"type":\#(request),"id":5,"timeline":"\#(Say.timeline)"}"#, as: ci)
      let refused = world.receive(as: ci).first
      #expect(refused?["code"] == "forbidden")
      #expect(
        refused?["message"]?.string == """
          The timeline \(Say.timeline) is there, and this key did not begin its copy. To fix, push \
          it with the key that did.
          """)
    }
  }

  @Test("expire before and after they connect")
  func expires() {
    let wall = WallClock()
    var world = HubWorld(wall: wall)
    let key = Self.issue(&world, #","seconds":60"#)
    let ci = world.connect(.inspector, .port)
    #expect(world.signIn(ci, key: key.name, secret: key.secret)["type"] == "welcome")
    wall.advance(seconds: 60)
    world.send(#"{"type":"finish","id":1,"timeline":"\#(Say.timeline)"}"#, as: ci)
    let sentence =
      "The key has expired. To get a new one, run on the daemon's machine: debugd open --key push"
    #expect(world.closes[ci]?.reason == sentence)
    let late = world.connect(.inspector, .port)
    let refused = world.signIn(late, key: key.name, secret: key.secret)
    #expect(refused["message"]?.string == sentence)
  }

  @Test("that are valid are not called expired when the run of the daemon they sign for is over")
  func validKey() {
    var world = HubWorld(wall: WallClock())
    let key = Self.issue(&world, #","seconds":60"#)
    let peer = world.connect(.inspector, .port)
    world.send(
      #"{"type":"hello","version":"1.0","key":"\#(key.name)","boot":"before","#
        + #""nonce":"\#(String(repeating: "0", count: 32))"}"#, as: peer)
    let message = world.receive(as: peer).first?["message"]?.string ?? ""
    #expect(message == "The session has ended. To open a new one, run: debugd open")
  }

  @Test(
    "drop the parts of a chunk that their connection did not complete", arguments: [true, false])
  func interruptedParts(isComplete: Bool) {
    var world = HubWorld()
    let ci = world.inspector()
    _ = world.receive(as: ci)
    for offset in isComplete ? [0, 3] : [0] {
      world.send(
        #"{"type":"deposit","id":\#(offset + 1),"timeline":"\#(Say.timeline)","chunks":[{"first":0,"#
          + #""last":1,"bytes":9,"size":6,"offset":\#(offset),"data":"AAAA"}]}"#, as: ci)
      world.answerQuery(.message(.done(ToInspector.Done())))
    }
    world.handle(.disconnected(ci))
    let dropped = world.queries.compactMap { query -> TimelineID? in
      if case .drop(let timeline) = query.query { timeline } else { nil }
    }
    #expect(dropped == (isComplete ? [] : [Say.id]))
  }

  @Test("leave four chunks unfinished at most; then the parts of the oldest one are dropped")
  func manyParts() {
    var world = HubWorld()
    let ci = world.inspector()
    _ = world.receive(as: ci)
    let timelines = (0..<6).map { _ in TimelineID.random() }
    var dropped: [TimelineID] = []
    // The first one begins again, and is then newer than two others.
    for timeline in timelines[0...2] + [timelines[0]] + timelines[3...] {
      world.send(
        #"{"type":"deposit","id":"\#(world.frames.count)","timeline":"\#(timeline.text)","chunks":["#
          + #"{"first":0,"last":1,"bytes":9,"size":6,"offset":0,"data":"AAAA"}]}"#, as: ci)
      while let query = world.answerQuery(.message(.done(ToInspector.Done()))) {
        if case .drop(let timeline) = query { dropped.append(timeline) }
      }
    }
    #expect(dropped == [timelines[1], timelines[2]])
  }

  @Test("can only look and push, for at most two years, and only so many at once")
  func limits() {
    var world = HubWorld()
    for wish in [
      #","capabilities":["control"]"#, #","capabilities":["look","change"]"#,
      #","capabilities":[]"#, #","seconds":0"#, #","seconds":99999999"#,
    ] {
      #expect(Self.issue(&world, wish).answer["code"] == "wrong-value", "\(wish)")
    }
    for _ in 0..<SessionTable.keyLimit {
      #expect(Self.issue(&world, #","capabilities":["look"]"#).answer["type"] == "invite")
    }
    #expect(
      Self.issue(&world).answer["message"]?.string == """
        There are 32 valid keys already. To end one, run: debugd revoke SESSION
        """)
  }

  @Test("have ids after those of a file, whatever these are")
  func ids() {
    for (id, next) in [("s7", "s8"), ("s\(Int.max)", "s1"), ("", "s1")] {
      let known = SessionTable.Session(
        id: id, secret: "", capabilities: [], created: Timestamp(microseconds: 0))
      var table = SessionTable([known])
      let added = table.add(
        secret: "", capabilities: [], client: nil, at: Timestamp(microseconds: 0))
      #expect(added.session.id == next)
    }
  }

  @Test("stay when pages sign in, and are dropped once they have expired")
  func room() throws {
    func at(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
    var table = SessionTable()
    let made = table.issueKey(
      secret: "k", capabilities: [.push], client: nil, at: at(0), until: at(50))
    let key = try #require(made).key
    for second in 1...Int64(SessionTable.limit) {
      let made = table.add(secret: "p", capabilities: [.look], client: nil, at: at(second))
      #expect(!made.dropped.contains { $0.id == key.id } || second >= 50)
    }
    #expect(table.session(id: key.id) == nil)
  }

  @Test("are refused by a session that can only look")
  func lookers() {
    var world = HubWorld(sessions: HubWorld.session([.look]))
    let peer = world.connect(.inspector, .port)
    _ = world.signIn(peer, key: "s1", secret: "t1")
    world.send(#"{"type":"finish","id":1,"timeline":"\#(Say.timeline)"}"#, as: peer)
    #expect(
      world.receive(as: peer).first?["message"]?.string == """
        This session cannot add timelines. To get a key that can, run: debugd open --key push
        """)
  }
}
