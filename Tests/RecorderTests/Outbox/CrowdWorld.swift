import JSONCore
import TestSupport
import Timelines
import Wire

@testable import Recorder

/// An outbox with more machines than places, and a daemon that accepts nothing beyond the protocol.
///
/// Time passes only when there is nothing else to do.
struct CrowdWorld {
  /// Something that neither end may do.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A machine and its pipeline.
  struct Machine {
    var header: Header
    var last: Int64 = -1
    var mustBeKeyframe = true
    var isEnded = false
    /// When its last entry was written.
    var wroteAt = Duration.zero
  }

  /// What the daemon has of a timeline.
  struct Kept {
    var timeline: Timeline
    var isOpen = false
    var isParked = false
    var isEnded = false
    var endGap: Gap?
  }

  /// An answer of the daemon that is on its way.
  enum Answer {
    case ack(TimelineID, durable: Int64, isClosed: Bool)
    case gone(TimelineID)
  }

  var outbox: Outbox
  let places: Int
  var machines: [Machine] = []
  var kept: [TimelineID: Kept] = [:]
  var answers: [Answer] = []
  var deleted: Set<TimelineID> = []
  var time = Duration.zero
  /// The number of messages by type, and of entries that came twice.
  var messages: [String: Int] = [:]
  var duplicates = 0
  /// The longest time from an entry to its arrival.
  var slowest = Duration.zero
  /// The timelines in the order of their last `open`.
  var opened: [TimelineID] = []

  init(machines count: Int, places: Int) throws {
    var limits = OutboxLimits()
    limits.openTimelines = places
    limits.namedTimelines = places
    outbox = Outbox(limits)
    self.places = places
    for number in 0..<count { machines.append(Machine(header: try sampleHeader("m\(number)"))) }
    for machine in machines { outbox.open(machine.header) }
  }

  /// A machine handles an event.
  mutating func write(_ number: Int) {
    obeyRequests()
    guard !machines[number].isEnded else { return }
    machines[number].last += 1
    machines[number].wroteAt = time
    let machine = machines[number]
    var draft = EntryDraft(seq: machine.last, t: machine.last * 10)
    if machine.last > 0 { draft.event = Array(#"{"set":{}}"#.utf8)[...] }
    if machine.mustBeKeyframe {
      draft.state = Array(#"{"n":\#(machine.last)}"#.utf8)[...]
    } else {
      draft.patch = Array(#"[{"op":"replace","path":"/n","value":\#(machine.last)}]"#.utf8)[...]
    }
    let entry = WrittenEntry(
      seq: machine.last, line: draft.line, isKeyframe: machine.mustBeKeyframe)
    machines[number].mustBeKeyframe = false
    _ = outbox.append([entry], to: machine.header.timeline, now: time)
  }

  mutating func end(_ number: Int) {
    machines[number].isEnded = true
    outbox.close(machines[number].header.timeline, gap: nil)
  }

  mutating func connect() throws {
    let names = outbox.openTimelines
    guard names.count <= places else { throw Violation(description: "a hello with too many names") }
    try outbox.connect(
      credit: 1 << 40, maxMessage: 16 << 20, maxTimelines: Int64(places),
      durable: names.map { ($0, kept[$0]?.timeline.lastSeq) })
  }

  mutating func disconnect() {
    outbox.disconnect()
    answers = []
    for id in kept.keys {
      kept[id]?.isOpen = false
      kept[id]?.isParked = false
    }
  }

  /// A person deletes a timeline.
  mutating func delete(_ id: TimelineID) {
    guard let old = kept.removeValue(forKey: id) else { return }
    deleted.insert(id)
    if old.isOpen || old.isParked { answers.append(.gone(id)) }
  }

  /// Sends and answers until nothing is left to do at this time.
  mutating func workNow() throws {
    while true {
      obeyRequests()
      if case .frame(let frame)? = outbox.next(now: time) {
        try receive(frame)
      } else if !answers.isEmpty {
        try deliver(answers.removeFirst())
      } else {
        return outbox.checkInvariants()
      }
    }
  }

  /// Sends and answers, and lets time pass, until nothing is left to do at all.
  mutating func work(within rounds: Int = 10_000) throws {
    for _ in 0..<rounds {
      try workNow()
      guard let deadline = outbox.deadline(now: time) else { return }
      guard deadline > time else { throw Violation(description: "a turn that changes nothing") }
      time = deadline
    }
    throw Violation(description: "a recorder that never rests")
  }

  /// Lets time pass.
  mutating func pass(_ duration: Duration) throws {
    let end = time + duration
    try workNow()
    while let deadline = outbox.deadline(now: time), deadline <= end {
      guard deadline > time else { throw Violation(description: "a turn that changes nothing") }
      time = deadline
      try workNow()
    }
    time = end
  }

  private mutating func obeyRequests() {
    for request in outbox.drainRequests() {
      for number in machines.indices {
        switch request {
        case .keyframe(machines[number].header.timeline): machines[number].mustBeKeyframe = true
        case .reopen(machines[number].header.timeline):
          guard let header = try? sampleHeader("again") else { continue }
          outbox.close(machines[number].header.timeline, gap: nil)
          machines[number].header = header
          (machines[number].last, machines[number].mustBeKeyframe) = (-1, true)
          outbox.open(header)
        case .keyframe, .reopen: continue
        }
      }
    }
  }

  private mutating func deliver(_ answer: Answer) throws {
    switch answer {
    case .ack(let id, let durable, let isClosed):
      try outbox.acknowledge(id, through: durable, isClosed: isClosed)
    case .gone(let id): try outbox.gone(id)
    }
  }

  /// Handles a message as the daemon.
  mutating func receive(_ frame: [UInt8]) throws {
    let body = try Envelope<FromRecorder>(reading: frame, maxMessage: 16 << 20).body
    messages[type(of: body.message).type, default: 0] += 1
    switch body {
    case .open(let open): try receive(Header(reading: open.header))
    case .append(let append): try receive(append)
    case .close(let close): try receive(close)
    default: throw Violation(description: "nothing that an outbox sends: \(body)")
    }
  }

  private mutating func receive(_ header: Header) throws {
    let id = header.timeline
    if deleted.contains(id) { return answers.append(.gone(id)) }
    var own = kept[id] ?? Kept(timeline: Timeline(header))
    guard !own.isOpen else { throw Violation(description: "two opens of a timeline") }
    (own.isOpen, own.isParked, own.isEnded) = (true, false, false)
    kept[id] = own
    guard kept.values.count(where: \.isOpen) <= places else {
      throw Violation(description: "more open timelines than places")
    }
    opened.removeAll { $0 == id }
    opened.append(id)
    answers.append(.ack(id, durable: own.timeline.lastSeq ?? -1, isClosed: false))
  }

  private mutating func receive(_ append: FromRecorder.Append) throws {
    let id = append.timeline
    if deleted.contains(id) { return }
    guard var own = kept[id], own.isOpen, !own.isEnded else {
      throw Violation(description: "an append to a timeline that is not open")
    }
    kept[id] = nil
    for slice in append.entries {
      let entry = try Entry(reading: slice)
      if entry.seq <= own.timeline.lastSeq ?? -1 {
        duplicates += 1
      } else {
        try own.timeline.append(entry)
      }
    }
    if let machine = machines.first(where: { $0.header.timeline == id }) {
      slowest = max(slowest, time - machine.wroteAt)
    }
    kept[id] = own
    answers.append(.ack(id, durable: own.timeline.lastSeq ?? -1, isClosed: false))
  }

  private mutating func receive(_ close: FromRecorder.Close) throws {
    let id = close.timeline
    if deleted.contains(id) { return }
    guard let own = kept[id], own.isOpen else {
      throw Violation(description: "a close of a timeline that is not open")
    }
    let isUnacknowledged = answers.contains {
      if case .ack(id, _, _) = $0 { true } else { false }
    }
    if close.parks, isUnacknowledged {
      throw Violation(description: "a park before everything was acknowledged")
    }
    // The place is free once the answer was sent.
    kept[id]?.isOpen = false
    if close.parks {
      kept[id]?.isParked = true
    } else {
      kept[id]?.isEnded = true
      kept[id]?.endGap = close.gap
    }
    answers.append(.ack(id, durable: own.timeline.lastSeq ?? -1, isClosed: true))
  }
}
