import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("What the daemon refuses")
struct RefusalTests {
  private final class Wire: TransportConnection {
    func send(_ frame: [UInt8]) {}
    func limitMessages(to bytes: Int) {}
    func close(code: UInt16, reason: String) {}
    var hasSentAll: Bool { true }
  }

  /// A core, a daemon driven by the test, and what both did.
  private struct Rig {
    var core: DaemonSinkCore
    let wire = Wire()
    var now = Duration.zero
    var sent: [FromRecorder] = []
    var notes: [String] = []
    var connects = 0

    init() {
      core = DaemonSinkCore(DaemonSinkTests.options())
      core.start()
    }

    /// Does all work that is due.
    mutating func run() throws {
      while case .work(let work) = core.turn(now: now) {
        for item in work {
          switch item {
          case .connect(let generation, _):
            connects += 1
            guard core.adopt(wire, generation: generation) else { continue }
            core.enqueue(.opened(isSameUser: true), generation: generation)
          case .send(_, let frame):
            sent.append(try Envelope<FromRecorder>(reading: frame, maxMessage: 1 << 20).body)
          case .log(let note): notes.append(note)
          case .limitMessages, .close, .fetch, .command, .disconnected: continue
          }
        }
      }
    }

    mutating func receive(_ text: String) throws {
      core.enqueue(.text(Array(text.utf8)), generation: core.generation)
      try run()
    }

    mutating func welcome(durable: String = "") throws {
      try receive(
        #"{"type":"welcome","version":"1.0","credit":1000000,"maxMessage":65536,"durable":{"#
          + durable + "}}")
    }

    mutating func refuse(_ timeline: TimelineID, _ message: String) throws {
      try receive(
        #"{"type":"error","code":"conflict","message":"\#(message)","timeline":"\#(timeline)"}"#)
    }

    var closes: Int { sent.count { if case .close = $0 { true } else { false } } }
  }

  private func rig(gap: Gap? = nil) throws -> (Rig, TimelineID) {
    var rig = Rig()
    var producer = try LineProducer()
    let id = producer.header.timeline
    rig.core.outbox.open(producer.header)
    _ = rig.core.outbox.append(producer.next(5)[...], to: id, now: .zero)
    rig.core.outbox.close(id, gap: gap)
    try rig.run()
    try rig.welcome()
    #expect(rig.closes == 1)
    return (rig, id)
  }

  @Test("the end of a timeline that has everything is not sent again")
  func refusedEnd() throws {
    var (rig, id) = try rig()
    try rig.receive(#"{"type":"ack","timeline":"\#(id)","durable":4}"#)
    try rig.refuse(id, "The timeline was closed.")
    for _ in 0..<100 {
      rig.now += .seconds(60)
      try rig.run()
    }
    #expect(rig.closes == 1 && rig.connects == 1)
    #expect(rig.notes == ["The daemon refused: The timeline was closed."])
    #expect(rig.core.isFullyAcknowledged && rig.core.outbox.openTimelines.isEmpty)
  }

  @Test("a refused end that had losses is reported with their number")
  func refusedGap() throws {
    var (rig, id) = try rig(gap: Gap(lost: 3, why: "the queue was full"))
    try rig.receive(#"{"type":"ack","timeline":"\#(id)","durable":4}"#)
    try rig.refuse(id, "No.")
    #expect(
      rig.notes == [
        "The daemon refused: No. The timeline does not say that 3 entries were lost at its end."
      ])
    try rig.refuse(id, "No.")
    #expect(rig.notes.last == "The daemon refused: No.")
    #expect(rig.core.outbox.endGaps.isEmpty)
  }

  @Test("an end that is refused before its entries are stored is tried on three connections")
  func refusedEarly() throws {
    var (rig, id) = try rig()
    for attempt in 1...3 {
      #expect(rig.connects == attempt && rig.closes == attempt)
      try rig.refuse(id, "Nothing can be stored.")
      rig.now += .seconds(60)
      try rig.run()
      if attempt < 3 { try rig.welcome(durable: "\"\(id)\":null") }
    }
    #expect(rig.core.outbox.counts.dropped == 5 && rig.core.outbox.openTimelines.isEmpty)
    #expect(
      rig.notes.last == """
        The daemon refused: Nothing can be stored. The timeline is abandoned, and 5 entries of it are \
        lost.
        """)
    for _ in 0..<100 {
      rig.now += .seconds(60)
      try rig.run()
    }
    #expect(rig.connects == 3 && rig.closes == 3)
    #expect(!rig.notes.contains { $0.contains("arrive faster") }, "\(rig.notes)")
  }

  @Test("a refusal of a timeline that no one here knows is only reported")
  func stranger() throws {
    var (rig, _) = try rig()
    try rig.refuse(.random(), "What?")
    #expect(rig.connects == 1 && rig.notes == ["The daemon refused: What?"])
    #expect(rig.core.outbox.counts.dropped == 0)
  }
}
