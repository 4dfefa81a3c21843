import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

/// Limits on the uploads of inspectors.
@Suite("Uploads in the hub")
struct HubUploadTests {
  private static func ask(_ id: Int) -> String {
    #"{"type":"import","id":\#(id),"name":"a.timeline","bytes":10}"#
  }

  private static func part(_ upload: String, id: Int) -> String {
    #"{"type":"part","id":\#(id),"upload":"\#(upload)","offset":0,"data":"","last":false}"#
  }

  private static func begun(_ upload: String) -> QueryResult {
    .message(.import(ToInspector.Import { $0.upload = upload }))
  }

  /// The uploads that the store was asked to give up.
  private static func abandoned(_ world: HubWorld) -> [String] {
    world.queries.compactMap { query in
      if case .abandon(let upload) = query.query { upload } else { nil }
    }
  }

  @Test("of a session are few at once")
  func session() {
    var world = HubWorld(sessions: HubWorld.session()) { $0.uploadsOfSession = 2 }
    let peers = (0..<2).map { _ in world.connect(.inspector, .port) }
    for peer in peers {
      #expect(world.signIn(peer, key: "s1", secret: "t1")["type"] == "welcome")
    }
    world.send(Self.ask(1), as: peers[0])
    world.answerQuery(Self.begun("u1"))
    world.send(Self.ask(2), as: peers[1])
    #expect(world.queries.count == 1)
    _ = world.receive(as: peers[0])
    world.send(Self.ask(3), as: peers[0])
    let refused = world.receive(as: peers[0]).first
    #expect(refused?["code"] == "limit")
    #expect(
      refused?["message"]
        == "A session can upload at most 2 files at once. To fix, wait until one is complete.")
    let local = world.inspector()
    world.send(Self.ask(1), as: local)
    #expect(world.queries.count == 2, "the limit is not shared with others")
  }

  @Test("of all connections over the Unix socket leave room for sessions")
  func socket() {
    var world = HubWorld { $0.uploadsOfSocket = 2 }
    let peers = (0..<3).map { _ in world.inspector() }
    for peer in peers {
      _ = world.receive(as: peer)
      world.send(Self.ask(1), as: peer)
    }
    #expect(world.queries.count == 2)
    let refused = world.receive(as: peers[2]).first
    #expect(refused?["code"] == "limit")
    #expect(
      refused?["message"]
        == """
        All commands together can upload at most 2 files at once. To fix, wait until one is complete.
        """)
  }

  @Test("are given up after a minute without a byte, which makes room for another")
  func idle() {
    var world = HubWorld { $0.uploadsOfSocket = 1 }
    let (peer, other) = (world.inspector(), world.inspector())
    world.send(Self.ask(1), as: peer)
    world.answerQuery(Self.begun("u1"))
    for peer in [peer, other] { world.drain(peer) }
    world.wait(59_999)
    #expect(Self.abandoned(world) == [])
    world.send(Self.ask(1), as: other)
    #expect(world.queries.isEmpty)
    world.drain(other)
    world.wait(1)
    #expect(Self.abandoned(world) == ["u1"])
    world.send(Self.ask(2), as: other)
    #expect(world.queries.count == 2)
    #expect(world.closes.isEmpty, "the connection can still be used")
  }

  @Test("continue while parts arrive, or wait for the disk")
  func parts() {
    var world = HubWorld()
    let peer = world.inspector()
    world.send(Self.ask(1), as: peer)
    world.answerQuery(Self.begun("u1"))
    for id in 2...4 {
      world.drain(peer)
      world.wait(50_000)
      world.send(Self.part("u1", id: id), as: peer)
      world.answerQuery(Self.begun("u1"))
    }
    world.drain(peer)
    world.wait(50_000)
    world.send(Self.part("u1", id: 5), as: peer)
    for _ in 0..<3 { world.wait(60_000) }
    #expect(Self.abandoned(world) == [], "a part is being stored")
    world.answerQuery(Self.begun("u1"))
    world.drain(peer)
    world.wait(60_000)
    #expect(Self.abandoned(world) == ["u1"])
  }

  @Test("are checked when they become idle, without anything else happening")
  func timer() {
    var world = HubWorld()
    let peer = world.inspector()
    world.drain(peer)
    world.send(Self.ask(1), as: peer)
    world.answerQuery(Self.begun("u1"))
    world.drain(peer)
    let start = world.now
    while Self.abandoned(world).isEmpty, let next = world.timers.min(), next < start + 600_000 {
      world.timers.removeAll { $0 == next }
      world.now = max(world.now, next)
      world.handle(.tick(sent: world.sent, requestedFor: next))
    }
    #expect(Self.abandoned(world) == ["u1"])
    #expect(world.now == start + 60_000)
  }
}
