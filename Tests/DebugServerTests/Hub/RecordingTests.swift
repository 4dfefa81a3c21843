import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import DebugServer

@Suite("Recorders at the hub")
struct HubRecordingTests {
  @Test("are welcomed with what is durable, and acknowledged what was stored")
  func records() {
    var world = HubWorld()
    let peer = world.recorder(
      #"{"type":"hello","version":"1.0","timelines":["\#(Say.timeline)"]}"#)
    let welcome = world.receive(as: peer)
    #expect(welcome.first?["type"] == "welcome")
    #expect(welcome.first?["durable"] == [Say.timeline: nil])
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...2)), as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["type"] } == ["ack", "credit"])
    #expect(answers.first?["durable"] == 2)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2])
    #expect(answers.last?["bytes"]?.int == Int64(Say.append(Say.entries(0...2)).utf8.count))
  }

  @Test("that repeat entries have them dropped, with correct acknowledgments")
  func duplicates() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...4)), as: peer)
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(3...6)), as: peer)
    #expect(world.receive(as: peer).first?["durable"] == 6)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3, 4, 5, 6])
    world.send(Say.append(Say.entries(2...3)), as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["type"] } == ["ack", "credit"], "nothing of it is stored again")
    #expect(answers.first?["durable"] == 6)
  }

  @Test("that continue a timeline learn how far it is durable, before they send anything")
  func goesOn() {
    var world = HubWorld()
    let first = world.recorder()
    world.send(Say.open(), as: first)
    #expect(world.receive(as: first).map { $0["type"] } == ["welcome"], "nothing is durable yet")
    world.send(Say.append(Say.entries(0...4)), as: first)
    world.handle(.disconnected(first))
    let second = world.recorder()
    _ = world.receive(as: second)
    world.send(Say.open(), as: second)
    let answers = world.receive(as: second)
    #expect(answers.map { $0["type"] } == ["ack"])
    #expect(answers.first?["durable"] == 4)
  }

  static let wrong: [(entry: String, path: String, code: String)] = [
    (Say.entry(9), "entries[1].seq", "wrong-value"),
    (#"{"seq":3,"t":0,"event":{"a":{}},"patch":[]}"#, "entries[1].t", "wrong-value"),
    (#"{"seq":3,"t":9007199254740992,"event":1,"patch":[]}"#, "entries[1].t", "wrong-value"),
    (#"{"seq":5,"t":9,"gap":{"lost":1,"why":""},"event":{}}"#, "entries[1].gap", "wrong-value"),
    (
      #"{"seq":4,"t":9,"gap":{"lost":1,"why":""},"event":{},"patch":[]}"#, "entries[1].patch",
      "wrong-value"
    ),
    (#"{"seq":3,"t":9,"event":{},"state":{}}"#, "entries[1].patch", "wrong-value"),
    (#"{"seq":3,"event":{}}"#, "entries[1].t", "missing"),
    (#"{"seq":-3,"t":9}"#, "entries[1].seq", "wrong-value"),
    (#"{"seq":3,"t":9,"event":{},"patch":{}}"#, "entries[1].patch", "wrong-value"),
    ("7", "entries[1]", "wrong-value"),
  ]

  @Test(
    "that send an invalid entry learn which one, and nothing before it is lost",
    arguments: wrong)
  func wrongEntry(entry: String, path: String, code: String) {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    _ = world.receive(as: peer)
    world.send(Say.append([Say.entry(2), entry, Say.entry(3)]), as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["type"] } == ["error", "ack", "credit"])
    #expect(answers.first?["path"]?.string == path)
    #expect(answers.first?["code"]?.string == code)
    #expect(answers.first?["timeline"]?.string == Say.timeline)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2])
    for message in [Say.append([Say.entry(3)]), Say.open()] {
      world.send(message, as: peer)
      #expect(
        world.receive(as: peer).first?["code"] == "conflict", "it has ended on this connection")
    }
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2])
    #expect(world.closes.isEmpty)
    let other = world.recorder()
    world.send(Say.open(), as: other)
    world.send(Say.append([Say.entry(3)]), as: other)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3], "another one goes on from there")
  }

  @Test("may lose the beginning, when they say so")
  func lostBeginning() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(
      Say.append([#"{"seq":5,"t":9,"gap":{"lost":5,"why":"full"},"event":{},"state":1}"#]), as: peer
    )
    #expect(world.receive(as: peer).contains { $0["durable"] == 5 })
  }

  @Test("cannot write a timeline that is not open, or that another connection writes")
  func strangers() {
    var world = HubWorld()
    let (one, other) = (world.recorder(), world.recorder())
    world.send(Say.append(Say.entries(0...0)), as: one)
    #expect(
      world.receive(as: one).contains { $0["code"] == "not-found" && $0["path"] == "timeline" })
    world.send(Say.open(), as: one)
    world.send(Say.open(), as: other)
    #expect(world.receive(as: other).contains { $0["code"] == "conflict" })
    world.send(Say.append(Say.entries(0...0)), as: other)
    #expect(world.receive(as: other).contains { $0["code"] == "not-found" })
    #expect(world.stored[Say.id]?.isEmpty == true)
    world.send(#"{"type":"close","timeline":"\#(Say.timeline)"}"#, as: other)
    #expect(world.receive(as: other).contains { $0["code"] == "not-found" })
    world.handle(.disconnected(one))
    world.send(Say.open(), as: other)
    world.send(Say.append(Say.entries(0...1)), as: other)
    #expect(world.receive(as: other).contains { $0["durable"] == 1 })
  }

  @Test("cannot begin with a header that is too long, and may begin with another")
  func longHeader() {
    var world = HubWorld { $0.headerBytes = Self.headerBytes }
    let peer = world.recorder()
    _ = world.receive(as: peer)
    world.send(Say.open().replacing("Commute", with: "Commuter"), as: peer)
    let answers = world.receive(as: peer)
    #expect(answers.map { $0["code"] } == ["limit"])
    #expect(answers.first?["path"] == "header")
    #expect(answers.first?["timeline"]?.string == Say.timeline)
    #expect(world.stored[Say.id] == nil)
    world.send(Say.open(), as: peer)
    #expect(world.receive(as: peer).isEmpty)
    #expect(world.stored[Say.id] != nil)
    #expect(ServerLimits().headerBytes == 1 << 20)
  }

  /// The header that ``Say`` opens with, to the byte.
  private static let headerBytes = Say.open().utf8.count - #"{"type":"open","header":}"#.utf8.count

  @Test("cannot have more bytes of headers open than they may, in sum")
  func manyHeaders() {
    let size = Self.headerBytes
    var world = HubWorld { $0.headersOfRecorder = 2 * size }
    let peer = world.recorder()
    let ids = (0..<3).map { _ in TimelineID.random().text }
    for id in ids.prefix(2) { world.send(Say.open(id), as: peer) }
    _ = world.receive(as: peer)
    world.send(Say.open(ids[2]), as: peer)
    let refusal = world.receive(as: peer)
    #expect(refusal.first?["code"] == "limit")
    #expect(refusal.first?["timeline"]?.string == ids[2])
    #expect(
      refusal.first?["message"]?.string == """
        The headers of a recorder's open timelines have at most \(2 * size) bytes together. To fix, \
        close some.
        """)
    world.send(#"{"type":"close","timeline":"\#(ids[0])"}"#, as: peer)
    world.send(Say.open(ids[2]), as: peer)
    world.send(Say.append(Say.entries(0...0), to: ids[2]), as: peer)
    #expect(world.receive(as: peer).contains { $0["durable"] == 0 })
  }

  @Test("are not read while too many bytes of headers wait for the disk")
  func waitingHeaders() {
    let size = Self.headerBytes
    var world = HubWorld { $0.waitingBytes = 2 * size }
    let peer = world.recorder()
    world.isStoreQuick = false
    for _ in 0..<2 { world.send(Say.open(TimelineID.random().text), as: peer) }
    #expect(world.isRead[peer] == nil)
    world.send(Say.open(TimelineID.random().text), as: peer)
    #expect(world.isRead[peer] == false)
    world.runStore()
    #expect(world.isRead[peer] == true)
  }

  @Test("that use another timeline's header are refused, also while its entries wait for the disk")
  func otherHeader() {
    var world = HubWorld()
    let first = world.recorder()
    world.send(Say.open(), as: first)
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...1)), as: first)
    world.handle(.disconnected(first))
    let second = world.recorder()
    world.greet()
    _ = world.receive(as: second)
    world.send(Say.open().replacing("Commute", with: "Other"), as: second)
    let refusal = world.receive(as: second).first
    #expect(refusal?["code"] == "conflict")
    #expect(refusal?["message"]?.string?.contains("belongs to the app 'Commute'") == true)
    // A newer header of the same timeline goes to the store, and the durable end is reported.
    let newer = Say.open().replacing(#""format""#, with: #""recorder":"2","format""#)
    world.send(newer, as: second)
    let isHandedOn = world.work.contains { work in
      if case .begin(let header) = work.work { header.fields.recorder == "2" } else { false }
    }
    #expect(isHandedOn)
    world.runStore()
    #expect(world.receive(as: second).contains { $0["type"] == "ack" && $0["durable"] == 1 })
    world.send(Say.append(Say.entries(2...2)), as: second)
    world.runStore()
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2])
  }

  @Test("that are being closed are heard no more")
  func closedIsDeaf() {
    var world = HubWorld { $0.timelinesOfRecorder = 1 }
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(Say.open(TimelineID.random().text), as: peer)
    #expect(world.closes[peer]?.code == .limit)
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    #expect(world.stored[Say.id]?.isEmpty == true)
    #expect(world.receive(as: peer).isEmpty)
  }

  @Test("close a timeline once all of it is stored")
  func closes() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...1)), as: peer)
    let close = #"{"type":"close","timeline":"\#(Say.timeline)","gap":{"lost":2,"why":"x"}}"#
    world.send(close, as: peer)
    #expect(world.finished.isEmpty)
    world.runStore()
    #expect(world.finished == [Say.id: Gap(lost: 2, why: "x")])
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(2...2)), as: peer)
    #expect(world.receive(as: peer).contains { $0["code"] == "conflict" })
  }

  @Test("that exceed the credit are warned once, then disconnected")
  func credit() {
    var world = HubWorld { $0.wire.credit = 200 }
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...2)), as: peer)
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(3...3)), as: peer)
    #expect(world.receive(as: peer).contains { $0["code"] == "limit" })
    #expect(world.closes[peer] == nil)
    world.send(Say.append(Say.entries(4...4)), as: peer)
    #expect(world.closes[peer]?.code == .credit)
    world.runStore()
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3], "what came before is kept")
  }

  @Test("hear of a full disk once, wait, and lose nothing when there is space again")
  func fullDisk() {
    var world = HubWorld()
    let peer = world.recorder()
    let inspector = world.inspector()
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    _ = (world.receive(as: peer), world.receive(as: inspector))
    world.drain(inspector)
    world.isDiskFull = true
    world.send(Say.append(Say.entries(2...3)), as: peer)
    world.send(Say.append(Say.entries(4...5)), as: peer)
    world.wait(1_000)
    #expect(world.types(peer) == ["notice"], "neither acknowledged nor given back")
    #expect(world.types(inspector) == ["notice"])
    world.drain(inspector)
    world.isDiskFull = false
    let answers = world.receive(as: peer)
    #expect(answers.first { $0["type"] == "ack" }?["durable"] == 3)
    #expect(answers.last { $0["type"] == "ack" }?["durable"] == 5)
    #expect(answers.contains { $0["type"] == "notice" })
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3, 4, 5])
  }

  @Test("learn that a timeline was deleted, without errors for entries in flight")
  func gone() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    _ = world.receive(as: peer)
    world.deleted = [Say.id]
    world.send(Say.append(Say.entries(2...3)), as: peer)
    world.send(Say.append(Say.entries(4...5)), as: peer)
    #expect(world.types(peer).filter { $0 != "credit" } == ["gone"])
    world.send(Say.open(), as: peer)
    #expect(world.types(peer) == ["gone"])
  }

  @Test("are not read while too much waits for the disk")
  func backpressure() {
    var world = HubWorld { $0.waitingBytes = 300 }
    let (one, other) = (world.recorder(), world.recorder())
    world.send(Say.open(), as: one)
    world.isStoreQuick = false
    world.send(Say.append(Say.entries(0...8)), as: one)
    #expect(world.isRead == [one: false, other: false])
    world.runStore()
    #expect(world.isRead == [one: true, other: true])
  }

  @Test("that leave before their timeline is begun take what waited of them with them")
  func leftEarly() {
    var world = HubWorld { $0.waitingBytes = 2_000 }
    let other = world.recorder()
    world.isStoreQuick = false
    for _ in 0..<20 {
      let peer = world.recorder()
      world.runStore()
      world.send(Say.open(), as: peer)
      world.send(Say.append(Say.entries(0...8)), as: peer)
      world.handle(.disconnected(peer))
    }
    world.runStore()
    #expect(world.isRead[other] != false)
    #expect(world.hub.waitingBytes == 0)
  }

  /// Any order of anything, against what must hold in every order.
  @Test("never lose or double an entry, whatever happens in whatever order", arguments: 0..<60)
  func anything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var world = HubWorld { $0.wire.credit = 2_000 }
    var writer: PeerID?
    var next: Int64 = 0
    var acked: Int64 = -1
    var balance = 2_000
    world.isStoreQuick = false
    for _ in 0..<200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        if let peer = writer { world.handle(.disconnected(peer)) }
        writer = world.recorder(
          #"{"type":"hello","version":"1.0","timelines":["\#(Say.timeline)"]}"#)
        world.runStore()
        guard let peer = writer else { continue }
        let welcome = world.receive(as: peer).first
        #expect(welcome?["type"] == "welcome", "seed \(seed)")
        let durable = welcome?["durable"]?[Say.timeline]?.int ?? -1
        #expect(durable >= acked, "what was acknowledged is durable; seed \(seed)")
        world.send(Say.open(), as: peer)
        next = durable + 1
        balance = 2_000
      case 1...4:
        guard let peer = writer, balance > 0 else { continue }
        // Each append repeats some of what the one before it carried.
        let text = Say.append(Say.entries(next...next + Int64.random(in: 0...4, using: &random)))
        next += 1
        balance -= text.utf8.count
        world.send(text, as: peer)
      case 5: world.isDiskFull = random.chance(0.3)
      case 6: world.wait(1_000)
      default: world.storeStep()
      }
      if let peer = writer {
        for message in world.receive(as: peer) {
          if message["type"] == "ack" { acked = max(acked, message["durable"]?.int ?? -1) }
          if message["type"] == "credit" { balance += Int(message["bytes"]?.int ?? 0) }
          #expect(message["type"] != "error", "seed \(seed): \(message)")
        }
      }
      let seqs = world.stored[Say.id, default: []].map(\.seq)
      #expect(seqs == Array(0..<Int64(seqs.count)), "seed \(seed)")
      #expect(acked < Int64(seqs.count), "acknowledged means stored; seed \(seed)")
    }
    world.isDiskFull = false
    for _ in 0..<20 {
      world.wait(1_000)
      world.runStore()
    }
    if let peer = writer {
      for message in world.receive(as: peer) where message["type"] == "credit" {
        balance += Int(message["bytes"]?.int ?? 0)
      }
      #expect(balance == 2_000, "all credit comes back; seed \(seed)")
    }
    #expect(world.closes.isEmpty)
    #expect(world.hub.waitingBytes == 0, "nothing waits; seed \(seed)")
  }
}
