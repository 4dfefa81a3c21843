import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("The lanes in which inspectors read")
struct LaneTests {
  @Test("are one for each session and for each local connection, and never the daemon's own")
  func lanes() {
    var table = HubWorld.session()
    _ = table.add(
      secret: "t2", capabilities: [.look], client: nil, at: Timestamp(microseconds: 0))
    var world = HubWorld(sessions: table)
    var peers: [PeerID] = []
    for (key, secret) in [("s1", "t1"), ("s1", "t1"), ("s2", "t2")] {
      let peer = world.connect(.inspector, .port)
      #expect(world.signIn(peer, key: key, secret: secret)["type"] == "welcome")
      peers.append(peer)
    }
    peers += [world.inspector(), world.inspector()]
    for peer in peers { world.send(#"{"type":"timelines","id":1}"#, as: peer) }

    let lanes = world.queries.map { world.hub.lane(of: $0.ticket) }
    #expect(lanes.count == 5)
    #expect(lanes.first == lanes.dropFirst().first)
    #expect(Set(lanes).count == 4)
    #expect(!lanes.contains(.daemon))
  }
}
