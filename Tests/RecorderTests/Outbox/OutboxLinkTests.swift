import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("Outbox and daemon")
struct OutboxLinkTests {
  /// An outbox with one timeline of ten entries, connected.
  static func connected(
    _ limits: OutboxLimits = OutboxLimits(), maxMessage: Int64 = 1 << 20, credit: Int64 = 1 << 30,
    padding: Int = 0, count: Int = 10
  ) throws -> (outbox: Outbox, producer: LineProducer) {
    var outbox = Outbox(limits)
    var producer = try LineProducer(padding: padding)
    outbox.open(producer.header)
    _ = outbox.append(producer.next(count)[...], to: producer.header.timeline, now: .zero)
    try outbox.connect(credit: credit, maxMessage: maxMessage, durable: [])
    return (outbox, producer)
  }

  static func drain(_ outbox: inout Outbox, now: Duration = .zero) throws -> [FromRecorder] {
    var messages: [FromRecorder] = []
    while case .frame(let frame)? = outbox.next(now: now) {
      messages.append(try Envelope<FromRecorder>(reading: frame, maxMessage: 1 << 30).body)
    }
    return messages
  }

  static func seqs(_ messages: [FromRecorder]) -> [[Int64]] {
    messages.compactMap {
      guard case .append(let append) = $0 else { return nil }
      return append.entries.compactMap { $0["seq"]?.int }
    }
  }

  @Test("rejects acknowledgments of unsent entries, of fewer than before, and of unknown timelines")
  func lies() throws {
    var (outbox, producer) = try Self.connected()
    let id = producer.header.timeline
    #expect(throws: OutboxRefusal.beyond(id, durable: 0, sent: -1)) {
      try outbox.acknowledge(id, through: 0)
    }
    _ = try Self.drain(&outbox)
    try outbox.acknowledge(id, through: 4)
    try outbox.acknowledge(id, through: 4)
    #expect(throws: OutboxRefusal.backwards(id, durable: 3, before: 4)) {
      try outbox.acknowledge(id, through: 3)
    }
    for seq in [10, 11, Int64.max, Int64.min, -1] {
      #expect(throws: OutboxRefusal.beyond(id, durable: seq, sent: 9)) {
        try outbox.acknowledge(id, through: seq)
      }
    }
    let stranger = TimelineID.random()
    #expect(throws: OutboxRefusal.unknown(stranger)) {
      try outbox.acknowledge(stranger, through: 0)
    }
    #expect(throws: OutboxRefusal.unknown(stranger)) { try outbox.gone(stranger) }
    #expect(throws: OutboxRefusal.impossible("credit", -1)) { try outbox.credit(-1) }
    #expect(outbox.count == 5)
    outbox.checkInvariants()
  }

  @Test("rejects an impossible welcome")
  func welcomes() throws {
    var (outbox, producer) = try Self.connected()
    _ = try Self.drain(&outbox)
    outbox.disconnect()
    let id = producer.header.timeline
    let impossible: [(Int64, Int64, [(timeline: TimelineID, last: Int64?)])] = [
      (-1, 1 << 20, []), (1, 0, []), (1, -1, []), (1, 1 << 20, [(id, 10)]),
      (1, 1 << 20, [(id, -1)]),
      (1, 1 << 20, [(.random(), nil)]), (1, 1 << 20, [(id, .max)]),
    ]
    for (credit, maxMessage, durable) in impossible {
      #expect(throws: OutboxRefusal.self) {
        try outbox.connect(credit: credit, maxMessage: maxMessage, durable: durable)
      }
      #expect(!outbox.isConnected)
    }
    try outbox.connect(credit: .max, maxMessage: .max, durable: [(id, 9)])
    try outbox.credit(.max)
    #expect(outbox.count == 0)
  }

  @Test("sends nothing again that became durable after the welcome")
  func lateAcknowledgement() throws {
    var (outbox, producer) = try Self.connected()
    let id = producer.header.timeline
    _ = try Self.drain(&outbox)
    outbox.disconnect()
    try outbox.connect(credit: 1 << 30, maxMessage: 1 << 20, durable: [(id, 4)])
    try outbox.acknowledge(id, through: 7)
    outbox.checkInvariants()
    #expect(Self.seqs(try Self.drain(&outbox)) == [[8, 9]])
    try outbox.acknowledge(id, through: 9)
    #expect(outbox.count == 0)
    outbox.checkInvariants()
  }

  @Test("waits for a full batch only while entries are unacknowledged")
  func batches() throws {
    var limits = OutboxLimits()
    limits.batchEntries = 5
    var (outbox, producer) = try Self.connected(limits, count: 1)
    let id = producer.header.timeline
    #expect(Self.seqs(try Self.drain(&outbox)) == [[0]])
    // Entry 0 is not acknowledged: something is under way.
    _ = outbox.append(producer.next(3)[...], to: id, now: .milliseconds(10))
    #expect(Self.seqs(try Self.drain(&outbox, now: .milliseconds(17))).isEmpty)
    #expect(outbox.deadline(now: .milliseconds(17)) == .milliseconds(18))
    #expect(Self.seqs(try Self.drain(&outbox, now: .milliseconds(18))) == [[1, 2, 3]])
    #expect(outbox.deadline(now: .milliseconds(18)) == nil)
    _ = outbox.append(producer.next(7)[...], to: id, now: .milliseconds(20))
    #expect(
      Self.seqs(try Self.drain(&outbox, now: .milliseconds(20))) == [[4, 5, 6, 7, 8], [9, 10]])
    try outbox.acknowledge(id, through: 10)
    _ = outbox.append(producer.next(1)[...], to: id, now: .milliseconds(21))
    #expect(Self.seqs(try Self.drain(&outbox, now: .milliseconds(21))) == [[11]])
  }

  @Test("sends one message of any size while the credit is positive, and none without")
  func credit() throws {
    var limits = OutboxLimits()
    limits.batchEntries = 2
    var (outbox, _) = try Self.connected(limits, credit: 1)
    #expect(Self.seqs(try Self.drain(&outbox)) == [[0, 1]])
    try outbox.credit(1)
    #expect(try Self.drain(&outbox).isEmpty, "the balance is below zero")
    try outbox.credit(1_000)
    #expect(!Self.seqs(try Self.drain(&outbox)).isEmpty)
  }

  @Test("sends an entry that is too large for a message without its state, and with its length")
  func omitted() throws {
    var (outbox, producer) = try Self.connected(maxMessage: 4_096, padding: 5_000)
    let id = producer.header.timeline
    let messages = try Self.drain(&outbox)
    guard case .append(let first) = messages.dropFirst().first else {
      return #expect(Bool(false), "no append")
    }
    let entries = try first.entries.map { try Entry(reading: $0) }
    #expect(entries.map(\.seq) == Array(0..<10))
    #expect(entries[0].omitted == 5_017 && entries[0].state == nil)
    #expect(entries.dropFirst().allSatisfy { $0.isThinned && $0.event != nil })
    #expect(outbox.drainRequests() == [.keyframe(id)])
    outbox.checkInvariants()
    // The next one does not fit either: it is asked for ever more rarely.
    var asked = 0
    for _ in 0..<64 {
      producer.obey([.keyframe(id)])
      _ = outbox.append(producer.next(2)[...], to: id, now: .seconds(1))
      _ = try Self.drain(&outbox, now: .seconds(2))
      asked += outbox.drainRequests().count
    }
    #expect(asked > 0 && asked < 10)
  }

  @Test("begins with a keyframe and a gap if the daemon has lost everything")
  func wiped() throws {
    var (outbox, producer) = try Self.connected(count: 60)
    let id = producer.header.timeline
    _ = try Self.drain(&outbox)
    try outbox.acknowledge(id, through: 20)
    outbox.disconnect()
    try outbox.connect(credit: 1 << 30, maxMessage: 1 << 20, durable: [(id, nil)])
    let messages = try Self.drain(&outbox)
    guard case .append(let append) = messages.dropFirst().first else {
      return #expect(Bool(false), "no append")
    }
    let first = try Entry(reading: try #require(append.entries.first))
    #expect(first.seq == 50 && first.isKeyframe && first.gap?.lost == 50)
    outbox.checkInvariants()
  }

  @Test("abandons a timeline that is refused three times without progress")
  func refusals() throws {
    var (outbox, producer) = try Self.connected()
    let id = producer.header.timeline
    let helps = (0..<3).map { _ in outbox.refuse(id) }
    #expect(helps == [.connectAgain, .connectAgain, .abandoned(kept: 10, lost: 10)])
    #expect(outbox.drainRequests() == [.reopen(id)])
    #expect(outbox.count == 0)
    let answer = outbox.refuse(.random())
    #expect(answer == .over(unreported: 0))
  }

  @Test("counts what a timeline lost at its end when it abandons the timeline")
  func refusedWithGap() throws {
    var (outbox, producer) = try Self.connected()
    let id = producer.header.timeline
    outbox.close(id, gap: Gap(lost: 3, why: "the queue was full"))
    let answers = (0..<3).map { _ in outbox.refuse(id) }
    #expect(answers.last == .abandoned(kept: 10, lost: 13))
  }

  @Test("reports what was lost at a timeline's end")
  func close() throws {
    var (outbox, producer) = try Self.connected()
    let id = producer.header.timeline
    _ = try Self.drain(&outbox)
    outbox.close(id, gap: Gap(lost: 3, why: "the queue was full"))
    let messages = try Self.drain(&outbox)
    guard case .close(let close) = messages.first else { return #expect(Bool(false), "no close") }
    #expect(close.gap == Gap(lost: 3, why: "the queue was full"))
    #expect(!outbox.isFullyAcknowledged)
    try outbox.acknowledge(id, through: 9)
    #expect(outbox.isFullyAcknowledged && outbox.openTimelines.isEmpty)
    // A late one for an ended timeline is not a violation.
    try outbox.acknowledge(id, through: 9)
  }

  @Test("removes timelines that were never sent before it removes anything else")
  func forgotten() throws {
    var limits = OutboxLimits()
    limits.bytes = 20_000
    var outbox = Outbox(limits)
    for _ in 0..<200 {
      var producer = try LineProducer(padding: 100)
      outbox.open(producer.header)
      _ = outbox.append(producer.next(3)[...], to: producer.header.timeline, now: .zero)
      outbox.close(producer.header.timeline, gap: nil)
      outbox.checkInvariants()
    }
    #expect(outbox.bytes <= limits.bytes && outbox.openTimelines.count < 40)
    #expect(outbox.counts.dropped > 400)
  }
}
