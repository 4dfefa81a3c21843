import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer

/// What a connection still gets after its key has expired, or after it was closed: until its end is
/// reported, the hub lists it.
@Suite("News of keys that have expired")
struct KeyNewsTests {
  enum Follows { case entries, list }

  private static let expiry = """
    The key has expired. To get a new one, run on the daemon's machine: debugd open --key pull
    """

  /// A world in which a key that may look follows a timeline, or the list of them, and has read
  /// everything.
  private static func following(
    _ follows: Follows, _ wall: WallClock
  ) -> (world: HubWorld, laptop: PeerID, writer: PeerID, session: String) {
    var world = HubWorld(wall: wall)
    let key = KeyTests.issue(&world, #","seconds":60,"capabilities":["look"]"#)
    let laptop = world.connect(.inspector, .port)
    #expect(world.signIn(laptop, key: key.name, secret: key.secret)["type"] == "welcome")
    let writer = world.recorder()
    world.send(Say.open(), as: writer)
    switch follows {
    case .list: world.send(#"{"type":"watch","id":1}"#, as: laptop)
    case .entries:
      world.send(#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, as: laptop)
      world.answerQuery(.message(.done(ToInspector.Done { $0.seq = -1 })))
    }
    world.drain(laptop)
    world.wait(1_000)
    world.queries = []
    _ = world.receive(as: laptop)
    return (world, laptop, writer, key.name)
  }

  /// Makes news of that kind, and returns what the hub asks the store for.
  private static func news(
    _ follows: Follows, by writer: PeerID, in world: inout HubWorld
  ) -> [StoreQuery] {
    switch follows {
    case .entries: world.send(Say.append(Say.entries(0...0)), as: writer)
    case .list: world.send(Say.open("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6b"), as: writer)
    }
    world.wait(1_000)
    return world.queries.map(\.query)
  }

  /// Answers what was asked, and returns what the inspector gets.
  private static func answer(
    _ follows: Follows, to laptop: PeerID, in world: inout HubWorld
  ) -> [JSON] {
    world.drain(laptop)
    _ = world.receive(as: laptop)
    switch follows {
    case .entries:
      world.answerQuery(
        .message(.live(ToInspector.Live { ($0.timeline, $0.last) = (Say.id, 0) })))
    case .list: world.answerQuery(.summaries(HubInspectorTests.summaries([Say.id])))
    }
    return world.receive(as: laptop)
  }

  @Test("are sent while the key is valid", arguments: [Follows.entries, .list])
  func valid(_ follows: Follows) {
    var (world, laptop, writer, _) = Self.following(follows, WallClock())
    #expect(Self.news(follows, by: writer, in: &world).count == 1)
    #expect(Self.answer(follows, to: laptop, in: &world).count == 1)
    #expect(world.closes[laptop] == nil)
  }

  @Test("are not read, and end the connection", arguments: [Follows.entries, .list])
  func expired(_ follows: Follows) {
    let wall = WallClock()
    var (world, laptop, writer, _) = Self.following(follows, wall)
    wall.advance(seconds: 60)
    #expect(Self.news(follows, by: writer, in: &world).isEmpty)
    #expect(world.closes[laptop]?.reason == Self.expiry)
  }

  @Test(
    "are not sent if the key expired while they were read", arguments: [Follows.entries, .list])
  func expiredMeanwhile(_ follows: Follows) {
    let wall = WallClock()
    var (world, laptop, writer, _) = Self.following(follows, wall)
    #expect(Self.news(follows, by: writer, in: &world).count == 1)
    wall.advance(seconds: 60)
    #expect(Self.answer(follows, to: laptop, in: &world).isEmpty)
    #expect(world.closes[laptop]?.reason == Self.expiry)
  }

  @Test(
    "are not sent if a request ended the connection while they were read",
    arguments: [Follows.entries, .list])
  func asked(_ follows: Follows) {
    let wall = WallClock()
    var (world, laptop, writer, _) = Self.following(follows, wall)
    #expect(Self.news(follows, by: writer, in: &world).count == 1)
    wall.advance(seconds: 60)
    world.send(#"{"type":"timelines","id":2}"#, as: laptop)
    #expect(world.closes[laptop]?.reason == Self.expiry)
    #expect(Self.answer(follows, to: laptop, in: &world).isEmpty)
  }

  @Test(
    "are neither read nor sent once the session was revoked", arguments: [Follows.entries, .list],
    [true, false])
  func revoked(_ follows: Follows, meanwhile: Bool) {
    var (world, laptop, writer, session) = Self.following(follows, WallClock())
    if meanwhile { #expect(Self.news(follows, by: writer, in: &world).count == 1) }
    let local = world.inspector()
    world.send(#"{"type":"revoke","id":2,"session":"\#(session)"}"#, as: local)
    #expect(world.closes[laptop]?.code == .revoked)
    if meanwhile {
      #expect(Self.answer(follows, to: laptop, in: &world).isEmpty)
    } else {
      world.drain(laptop)
      #expect(Self.news(follows, by: writer, in: &world).isEmpty)
    }
  }
}
