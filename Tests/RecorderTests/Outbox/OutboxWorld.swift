import JSONCore
import TestSupport
import Timelines

@testable import Recorder

/// A pipeline, an outbox and a strict daemon, driven step by step.
struct OutboxWorld {
  /// What can happen.
  enum Move: CaseIterable, Hashable {
    case keyframe, change, thinned, lossOfTheirOwn
    case connect, disconnect, wipe
    case send, sendAll
    case commit, commitSome
    case end
  }

  var outbox: Outbox
  var daemon: StrictDaemon
  let header: Header
  /// The lines that the pipeline wrote, by seq.
  var written: [Int64: [UInt8]] = [:]
  var last: Int64 = -1
  var isConnected = false
  var isEnded = false
  /// Whether the daemon ever forgot what it had acknowledged.
  var wasWiped = false
  private var mustBeKeyframe = false
  private var orders: [SpillOrder] = []
  private var file: [UInt8]
  private var time = Duration.zero

  init(_ limits: OutboxLimits, maxMessage: Int = 16 << 20) throws {
    outbox = Outbox(limits)
    daemon = StrictDaemon(maxMessage: maxMessage)
    header = try sampleHeader()
    file = Array(repeating: 0, count: limits.spillBytes)
    outbox.open(header)
    try append(isKeyframe: true)
  }

  mutating func play(_ move: Move) throws {
    time += .milliseconds(1)
    switch move {
    case .keyframe: try append(isKeyframe: true)
    case .change: try append(isKeyframe: last < 0 || mustBeKeyframe)
    case .thinned: try appendThinned(gap: nil)
    case .lossOfTheirOwn:
      guard !isEnded, last >= 0 else { break }
      last += 2
      try appendThinned(gap: 2)
    case .connect: try connect()
    case .disconnect: disconnect()
    case .wipe:
      disconnect()
      daemon.kept = [:]
      wasWiped = true
    case .send: try sendOne()
    case .sendAll: while try sendOne() {}
    case .commit: try commit(but: 0)
    case .commitSome: try commit(but: 1)
    case .end:
      guard !isEnded else { break }
      isEnded = true
      outbox.close(header.timeline, gap: nil)
    }
    obeyRequests()
    outbox.checkInvariants()
  }

  /// Sends everything and has it committed.
  mutating func finish() throws {
    if !isConnected { try connect() }
    try append(isKeyframe: true)
    time += .seconds(1)
    while try sendOne() {}
    try commit(but: 0)
    outbox.close(header.timeline, gap: nil)
    isEnded = true
    while try sendOne() {}
    outbox.checkInvariants()
  }

  private mutating func obeyRequests() {
    for request in outbox.drainRequests() where request == .keyframe(header.timeline) {
      mustBeKeyframe = true
    }
  }

  private mutating func append(isKeyframe: Bool) throws {
    guard !isEnded else { return }
    var draft = draft()
    if isKeyframe { draft.state = Array(#"{"n":\#(draft.seq)}"#.utf8)[...] }
    if !isKeyframe || isBaseKnown {
      draft.patch = Array(#"[{"op":"replace","path":"/n","value":\#(draft.seq)}]"#.utf8)[...]
    }
    mustBeKeyframe = false
    isBaseKnown = true
    add(draft, isKeyframe: isKeyframe)
  }

  private var isBaseKnown = false

  private mutating func appendThinned(gap: Int64?) throws {
    guard !isEnded, last >= 0 else { return }
    var draft = draft()
    if let gap { draft.gap = Gap(lost: gap, why: "the queue was full") }
    isBaseKnown = false
    add(draft, isKeyframe: false)
    // As a pipeline does it: after a thinned entry comes a keyframe.
    mustBeKeyframe = true
  }

  private func draft() -> EntryDraft {
    var draft = EntryDraft(seq: last + 1, t: (last + 1) * 10)
    if last >= 0 { draft.event = Array(#"{"set":{"n":\#(last + 1)}}"#.utf8)[...] }
    return draft
  }

  private mutating func add(_ draft: EntryDraft, isKeyframe: Bool) {
    last = draft.seq
    written[last] = draft.line
    let entry = WrittenEntry(seq: last, line: draft.line, isKeyframe: isKeyframe)
    for order in outbox.append([entry], to: header.timeline, now: time) {
      file.replaceSubrange(
        order.place.offset..<order.place.offset + order.place.length, with: order.bytes)
      outbox.spilled(order)
    }
  }

  private mutating func connect() throws {
    guard !isConnected else { return }
    isConnected = true
    daemon.credit = 300
    let durable = try daemon.welcome(outbox.openTimelines)
    try outbox.connect(
      credit: daemon.credit, maxMessage: Int64(daemon.maxMessage), durable: durable)
  }

  private mutating func disconnect() {
    isConnected = false
    outbox.disconnect()
  }

  @discardableResult
  private mutating func sendOne() throws -> Bool {
    guard isConnected else { return false }
    if daemon.credit <= 0 {
      daemon.credit += 500
      try outbox.credit(500)
    }
    switch outbox.next(now: time) {
    case nil: return false
    case .frame(let frame): try daemon.receive(frame)
    case .fetch(let fetch):
      let range = fetch.place.offset..<fetch.place.offset + fetch.place.length
      if let frame = outbox.fetched(fetch, Array(file[range])) { try daemon.receive(frame) }
    }
    return true
  }

  private mutating func commit(but last: Int) throws {
    guard isConnected, let seq = daemon.commit(header.timeline, but: last) else { return }
    try outbox.acknowledge(header.timeline, through: seq)
  }
}

/// A header that is good enough to be sent.
func sampleHeader(_ name: String = "counter") throws -> Header {
  try Header(
    Header.Fields(
      timeline: .random(), app: Header.App(name: "tests"),
      machine: Header.Machine(type: "Tests.Counter", name: name),
      started: Timestamp(microseconds: 1_777_622_400_000_000)))
}
