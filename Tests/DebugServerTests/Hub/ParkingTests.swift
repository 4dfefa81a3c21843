import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Recorders with more machines than open timelines")
struct HubParkingTests {
  private static let hello =
    #"{"type":"hello","version":"1.0","run":"r1","parks":true,"can":{"control":true}}"#
  private static let park = #"{"type":"close","timeline":"\#(Say.timeline)","parks":true}"#

  /// A world in which a recorder has parked a timeline with three entries.
  private func makeWorld(
    _ change: (inout ServerLimits) -> Void = { _ in }
  ) -> (world: HubWorld, app: PeerID) {
    var world = HubWorld(change)
    let app = world.recorder(Self.hello)
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(0...2)), as: app)
    world.send(Self.park, as: app)
    return (world, app)
  }

  private func isLive(_ world: HubWorld) -> Bool { world.hub.live.contains(Say.id) }

  @Test("get an answer to each open and close, also without entries")
  func answers() {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    #expect(world.receive(as: app).first?["maxTimelines"] == 1_000)
    world.send(Say.open(), as: app)
    var answers = world.receive(as: app)
    #expect(answers.count == 1 && answers[0]["durable"] == nil && answers[0]["closed"] == nil)
    world.send(Self.park, as: app)
    answers = world.receive(as: app)
    #expect(answers.count == 1 && answers[0]["durable"] == nil && answers[0]["closed"] == true)
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(0...2)), as: app)
    #expect(world.receive(as: app).compactMap { $0["durable"] } == [2])
    world.isStoreQuick = false
    world.send(#"{"type":"close","timeline":"\#(Say.timeline)"}"#, as: app)
    #expect(world.receive(as: app).isEmpty, "the end is not stored")
    world.runStore()
    answers = world.receive(as: app)
    #expect(answers.count == 1 && answers[0]["durable"] == 2 && answers[0]["closed"] == true)
    #expect(world.finished.keys.contains(Say.id))
  }

  @Test("park a timeline once its entries are stored; it does not end, and stays live")
  func parks() {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    world.send(Say.open(), as: app)
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...2)), as: app)
    world.send(Self.park, as: app)
    #expect(!world.receive(as: app).contains { $0["closed"] == true })
    world.send(Say.open(), as: app)
    world.runStore()
    #expect(world.receive(as: app).contains { $0["closed"] == true })
    #expect(world.finished.isEmpty && isLive(world))
    world.handle(.disconnected(app))
    #expect(!isLive(world))
  }

  @Test("have a place again for each timeline that they parked")
  func places() {
    var (world, app) = makeWorld { $0.timelinesOfRecorder = 1 }
    for _ in 0..<5 {
      let other = TimelineID.random().text
      world.send(Say.open(other), as: app)
      world.send(#"{"type":"close","timeline":"\#(other)","parks":true}"#, as: app)
    }
    world.send(Say.open(), as: app)
    #expect(world.closes[app] == nil && world.hub.live.count == 6)
    world.send(Say.append(Say.entries(3...4)), as: app)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3, 4])
    world.send(Say.open(TimelineID.random().text), as: app)
    #expect(world.closes[app]?.code == .limit)
  }

  @Test("park a limited number; the machines of others look as if they had ended")
  func limit() {
    var (world, app) = makeWorld { $0.parkedOfRecorder = 1 }
    let other = TimelineID.random()
    world.send(Say.open(other.text), as: app)
    world.send(#"{"type":"close","timeline":"\#(other.text)","parks":true}"#, as: app)
    #expect(world.receive(as: app).count { $0["closed"] == true } == 2)
    #expect(world.hub.live == [Say.id])
  }

  @Test("remain the only writer of a timeline that they parked")
  func writer() {
    var (world, app) = makeWorld()
    let stranger = world.recorder(#"{"type":"hello","version":"1.0","run":"r2","parks":true}"#)
    world.send(Say.open(), as: stranger)
    #expect(world.receive(as: stranger).last?["code"] == "conflict")
    let successor = world.recorder(Self.hello)
    world.send(Say.open(), as: successor)
    #expect(world.receive(as: successor).last?["durable"] == 2)
    #expect(world.closes[app] != nil && isLive(world))
    world.handle(.disconnected(app))
    #expect(isLive(world), "the timeline belongs to the new connection")
  }

  @Test("hear that a parked timeline was deleted")
  func deletion() {
    var (world, app) = makeWorld()
    _ = world.receive(as: app)
    var pruned = Pruned()
    pruned.deleted = [Say.id]
    world.handle(.limited(pruned))
    #expect(world.receive(as: app).map { $0["type"] } == ["gone"])
    #expect(!isLive(world))
  }

  @Test("get the commands for a parked machine, which are answered once its entry is stored")
  func control() {
    var (world, app) = makeWorld()
    let peer = world.inspector("one")
    _ = world.receive(as: peer)
    world.drain(peer)
    func carryOut(_ seq: Int64) -> JSON? {
      guard let command = world.receive(as: app).last, let id = command["id"]?.int else {
        return nil
      }
      world.send(#"{"type":"done","re":\#(id),"seq":\#(seq)}"#, as: app)
      return command
    }
    world.send(
      #"{"type":"hold","id":1,"timeline":"\#(Say.timeline)","policy":"queue"}"#, as: peer)
    #expect(carryOut(2)?["type"] == "hold")
    let lease = world.receive(as: peer).first { $0["re"] == 1 }?["lease"]?.string ?? ""
    #expect(!lease.isEmpty)
    world.send(
      #"{"type":"step","id":2,"timeline":"\#(Say.timeline)","lease":"\#(lease)"}"#, as: peer)
    #expect(carryOut(3)?["type"] == "step")
    #expect(!world.receive(as: peer).contains { $0["re"] == 2 })
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(3...3)), as: app)
    #expect(world.receive(as: peer).contains { $0["re"] == 2 && $0["seq"] == 3 })
  }
}
