import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer

@Suite("Inspectors that follow the same timeline")
struct SharedFollowTests {
  private var world = HubWorld()
  private let recorder: PeerID

  init() {
    recorder = world.recorder()
    world.send(Say.open(), as: recorder)
    world.send(Say.append(Say.entries(0...0)), as: recorder)
  }

  /// Inspectors that have entry 0.
  private mutating func followers(_ count: Int, filter: String = "") -> [PeerID] {
    (0..<count).map { _ in
      let peer = world.inspector()
      world.send(
        #"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"\#(filter)}"#, as: peer)
      world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 0 })))
      _ = world.receive(as: peer)
      world.drain(peer)
      return peer
    }
  }

  private mutating func record(_ seq: Int64) {
    world.send(Say.append(Say.entries(seq...seq)), as: recorder)
  }

  private static func live(_ last: Int64) -> QueryResult {
    .message(
      .live(
        ToInspector.Live {
          $0.timeline = Say.id
          $0.last = last
        }))
  }

  private mutating func lasts(_ peers: [PeerID]) -> [[Int64?]] {
    peers.map { peer in world.receive(as: peer).map { $0["last"]?.int } }
  }

  @Test("share one read of each batch")
  mutating func readOnce() {
    let peers = followers(100)
    var reads = 0
    for seq in Int64(1)...20 {
      world.wait(16)
      record(seq)
      while !world.queries.isEmpty {
        world.answerQuery(Self.live(seq))
        reads += 1
      }
      #expect(lasts(peers) == [[Int64?]](repeating: [seq], count: 100))
      for peer in peers { world.drain(peer) }
    }
    #expect(reads == 20)
  }

  @Test("share again after they came at different times")
  mutating func alignedPeriods() {
    var peers: [PeerID] = []
    var seq: Int64 = 0
    // Each has its first update at another millisecond.
    for _ in 0..<10 {
      peers += followers(1)
      seq += 1
      reads(at: seq, peers)
    }
    var count = 0
    for _ in 0..<64 {
      seq += 1
      count += reads(at: seq, peers)
    }
    #expect(count <= 64 / 16 + 1)
  }

  /// Records an entry a millisecond later, and answers all reads; returns their number.
  @discardableResult
  private mutating func reads(at seq: Int64, _ peers: [PeerID]) -> Int {
    world.wait(1)
    record(seq)
    var count = 0
    while !world.queries.isEmpty {
      world.answerQuery(Self.live(seq))
      count += 1
    }
    for peer in peers { world.drain(peer) }
    return count
  }

  @Test("that join a read after more was recorded ask again")
  mutating func joinedLate() {
    let first = followers(1)[0]
    world.wait(16)
    record(1)
    // The read of entry 1 is under way.
    record(2)
    let second = world.inspector()
    world.send(#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, as: second)
    world.queries.swapAt(0, 1)
    world.drain(second)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 0 })))
    _ = world.receive(as: second)
    world.drain(second)
    #expect(world.queries.count == 1)
    world.answerQuery(Self.live(1))
    #expect(lasts([first, second]) == [[1], [1]])
    for peer in [first, second] { world.drain(peer) }
    world.wait(16)
    #expect(world.queries.count == 1, "neither has entry 2")
    world.answerQuery(Self.live(2))
    #expect(lasts([first, second]) == [[2], [2]])
  }

  @Test("with different filters do not share")
  mutating func filters() {
    _ = followers(2)
    _ = followers(2, filter: #","filter":"state.n > 3""#)
    world.wait(16)
    record(1)
    #expect(world.queries.count == 2)
  }

  @Test("get the answer although the one that asked has left")
  mutating func firstLeaves() {
    let peers = followers(3)
    world.wait(16)
    record(1)
    world.handle(.disconnected(peers[0]))
    #expect(world.canceled.isEmpty)
    world.answerQuery(Self.live(1))
    #expect(lasts(Array(peers.dropFirst())) == [[1], [1]])
  }

  @Test("end a read without followers when the last one leaves")
  mutating func allLeave() {
    let peers = followers(3)
    world.wait(16)
    record(1)
    for peer in peers { world.handle(.disconnected(peer)) }
    #expect(world.canceled.count == 1)
    #expect(world.queries.isEmpty)
  }

  @Test("all ask again after a read that failed")
  mutating func failure() {
    let peers = followers(3)
    world.wait(16)
    record(1)
    world.answerQuery(.refused(Refusal(.failed, "The disk fails.")))
    world.wait(1_000)
    world.wait(16)
    #expect(world.queries.count == 1)
    world.answerQuery(Self.live(1))
    #expect(lasts(peers) == [[1], [1], [1]])
  }
}
