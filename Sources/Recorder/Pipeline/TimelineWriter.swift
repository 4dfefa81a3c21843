import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

/// Writes the timeline of one machine to the sinks: applies limits, adds gaps, and counts losses.
///
/// It does not depend on the machine's types.
final class TimelineWriter {
  /// The outcome of writing an entry.
  enum Outcome {
    /// It was written with its state or patch.
    case withState
    /// It was written with its state or patch, and the next entry must carry the full state.
    case withStateKeyframeDue
    /// It was written without its state, or not at all.
    case withoutState
  }

  let fanout: SinkFanout
  private var core: RecorderCore { fanout.core }
  private let machine: RecordedMachine
  private let lineBytes: Int
  private var batch: [WrittenEntry] = []
  private var batchBytes = 0
  /// Whether a step was read that is not in the batch yet.
  private var hasStep = false
  /// The recorder's clock when an entry last flushed the batch.
  private var lastFlush: UInt64 = 0
  private var counted = RecorderStatistics()
  /// The recorder's clock at entry 0.
  private var started: UInt64 = 0
  private var lastT: Int64 = 0
  private var lastSeq: Int64 = -1
  /// The latest seq of a step, written or not.
  private var lastSeen: Int64 = -1
  /// The reasons for the next gap.
  private var reasons: [String] = []
  private var sinceKeyframe = 0
  private var statesPausedUntil: UInt64 = 0

  /// Whether the machine has redaction rules. Then error descriptions are hidden, too.
  var isRedacting = false
  /// Whether a timeline is open in the sinks.
  private(set) var isOpen = false
  private var hasHadTimeline = false
  private var hasFullMemory = false

  init(_ machine: RecordedMachine, _ fanout: SinkFanout, lineBytes: Int) {
    self.machine = machine
    self.fanout = fanout
    self.lineBytes = lineBytes
  }

  /// The timeline that is written now.
  var timeline: TimelineID { machine.timeline }

  /// The bytes after which a batch is flushed, so that long lines do not pile up.
  private static let batchLimit = 1 << 20
  /// In nanoseconds. If entries take longer than this, each is flushed immediately, rather than at
  /// the end of a turn or of the program.
  private static let batchAge: UInt64 = 1_000_000

  /// Opens a timeline whose entry 0 is the machine's step `base`, made at this time.
  func open(
    _ facts: MachineFacts, _ outputs: [Header.Output], redaction: RedactionRules, base: Int,
    time: UInt64
  ) {
    let ancestor = hasHadTimeline ? nil : core.ancestors[machine.identity]
    if hasHadTimeline {
      let old = machine.timeline
      machine.timeline = .random()
      core.handler.move(old, to: machine.timeline)
    }
    hasHadTimeline = true
    (started, lastT, lastSeq, lastSeen, sinceKeyframe) = (time, 0, -1, -1, 0)
    reasons = []
    let now = core.clock.now
    let age = now > time ? Int64((now - time) / 1_000) : 0
    var wall = HeaderFacts.now
    wall.microseconds -= age
    do {
      let header = try facts.header(
        timeline, of: machine, app: core.app, outputs: outputs,
        redaction: redaction, started: wall, forkedFrom: ancestor)
      fanout.open(header, identity: machine.identity, base: base)
      isOpen = true
    } catch {
      fanout.logFirstLoss("\(machine.name) is not recorded: its header cannot be encoded: \(error)")
    }
  }

  /// Closes the timeline, with a gap for entries missing at its end.
  func close() {
    flush()
    guard isOpen else { return }
    isOpen = false
    let lost = lastSeen - lastSeq
    fanout.close(
      timeline, identity: machine.identity, gap: lost > 0 ? Gap(lost: lost, why: why) : nil)
  }

  /// Microseconds since the timeline's start, never decreasing.
  func t(at time: UInt64) -> Int64 {
    guard time > started else { return lastT }
    return max(lastT, Int64(clamping: (time - started) / 1_000))
  }

  /// Whether entries before that seq are missing.
  func hasGap(before seq: Int64) -> Bool { seq > lastSeq + 1 }

  /// Writes an entry, with the gap before it, and shortens it if it is too long.
  func write(_ draft: EntryDraft) -> Outcome {
    // Two entries with one seq would make the timeline invalid.
    guard draft.seq > lastSeq else { return .withoutState }
    var draft = draft
    lastSeen = max(lastSeen, draft.seq)
    let missing = draft.seq - lastSeq - 1
    if missing > 0 { draft.gap = Gap(lost: missing, why: why) }
    var line = draft.line
    if line.count > lineBytes {
      guard draft.restored == nil, !draft.isJump else {
        countLost(1, why: "a state of \(line.count) bytes was too long")
        return .withoutState
      }
      shorten(&draft)
      line = draft.line
    }
    reasons = []
    lastSeq = draft.seq
    // Entry 0 and jumps are written in addition to a step, and count from now on.
    let isExtra = hasStep && (draft.seq == 0 || draft.isJump)
    machine.inFlight.store(batch.count + (isExtra ? 2 : 1), ordering: .relaxed)
    machine.lastSeq.store(draft.seq, ordering: .relaxed)
    lastT = draft.t
    let isKeyframe = draft.state != nil
    let isThinned = !isKeyframe && draft.patch == nil
    add(WrittenEntry(seq: draft.seq, line: line, isKeyframe: isKeyframe))
    if isThinned { counted.thinned += 1 }
    return outcome(isKeyframe: isKeyframe, isThinned: isThinned)
  }

  private func outcome(isKeyframe: Bool, isThinned: Bool) -> Outcome {
    guard !isThinned else { return .withoutState }
    sinceKeyframe = isKeyframe ? 0 : sinceKeyframe + 1
    if case .atLeastEvery(let count) = core.options.snapshots, sinceKeyframe + 1 >= count {
      return .withStateKeyframeDue
    }
    return .withState
  }

  /// Removes what makes the line too long: the state and, if that is not enough, the event.
  private func shorten(_ draft: inout EntryDraft) {
    if let bytes = (draft.state ?? draft.patch)?.count {
      draft.thin()
      draft.omitted = Int64(bytes)
      pauseStates(afterEncoding: bytes)
      fanout.logFirstLoss(
        """
        A state of \(machine.name) was left out: it has \(bytes) bytes, and a line may have \
        \(lineBytes). To fix, raise RecorderOptions.capture.lineBytes, or record a smaller part.
        """)
    }
    let event = draft.event?.count ?? 0
    // The rest of the line is numbers and a call site.
    guard event > max(0, lineBytes - 4_096) else { return }
    draft.event = substitute(for: nil, "is too long for a line: \(event) bytes")[...]
    fanout.logFirstLoss(
      """
      An event of \(machine.name) was left out: it has \(event) bytes, and a line may have \
      \(lineBytes). To fix, raise RecorderOptions.capture.lineBytes, or send smaller events.
      """)
  }

  /// Encoding states that are too long must not starve other machines: the next one is encoded
  /// after twenty times as long as it took, at ten nanoseconds a byte.
  private func pauseStates(afterEncoding bytes: Int) {
    statesPausedUntil = core.clock.now &+ UInt64(bytes) &* 200
  }

  /// Whether states are skipped for a while, because the last one was too long.
  func areStatesPaused(at time: UInt64) -> Bool { time < statesPausedUntil }

  /// Passes the batch to the sinks.
  func flush() {
    // Abandoned entries are already counted as lost.
    let isWritten = core.unlessAbandoned {
      if isOpen { fanout.append(batch, to: timeline) }
      machine.inFlight.store(hasStep ? 1 : 0, ordering: .relaxed)
    }
    guard isWritten else { return }
    batch.removeAll(keepingCapacity: true)
    batchBytes = 0
    guard counted != RecorderStatistics() else { return }
    let counted = counted
    core.counters.update { total in
      total.recorded += counted.recorded
      total.thinned += counted.thinned
      total.denied += counted.denied
      total.bytes += counted.bytes
    }
    self.counted = RecorderStatistics()
  }

  private func add(_ entry: WrittenEntry) {
    guard isOpen else {
      // The header could not be written, which was reported.
      core.counters.update { $0.lost += 1 }
      return
    }
    batch.append(entry)
    batchBytes += entry.line.count
    counted.recorded += 1
    counted.bytes += entry.line.count + 1
    let now = core.clock.now
    guard batchBytes >= Self.batchLimit || now &- lastFlush >= Self.batchAge else { return }
    lastFlush = now
    flush()
  }

  /// Counts a step that is about to leave the inbox.
  @inline(__always)
  func beginStep() {
    hasStep = true
    machine.inFlight.store(batch.count + 1, ordering: .relaxed)
  }

  /// Stops counting the step: it is in the batch, or became no entry.
  @inline(__always)
  func endStep() {
    hasStep = false
    machine.inFlight.store(batch.count, ordering: .relaxed)
  }
}

// Losses and failures.
extension TimelineWriter {
  private var why: String {
    reasons.isEmpty ? "what came before could not be written" : reasons.joined(separator: "; ")
  }

  private func addReason(_ reason: String) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Records that there is no entry with this seq; the next entry, or the end, has a gap.
  func recordMissing(_ seq: Int64) { lastSeen = max(lastSeen, seq) }

  /// Counts the next steps as lost: the recorder had no room for them.
  ///
  /// The process exit handler counts losses that are not counted yet, so `whenCounted` is called at
  /// the same moment.
  func countOverflow(_ count: Int, whenCounted: () -> Void) {
    lastSeen = max(lastSeen, lastSeq) + Int64(count)
    let why = "more events were sent than the recorder had room for"
    let isCounted = core.unlessAbandoned {
      core.counters.update { $0.lost += count }
      whenCounted()
    }
    guard isCounted, count > 0 else { return }
    addReason(why)
    report(
      lost: count, why: why, advice: "send fewer events, or raise RecorderOptions.capture.events")
  }

  /// Counts lost steps whose seqs are known.
  private func countLost(_ count: Int, why: String) {
    addReason(why)
    core.counters.update { $0.lost += count }
    report(lost: count, why: why, advice: "raise RecorderOptions.capture.lineBytes")
  }

  private func report(lost count: Int, why: String, advice: String) {
    let isFirst = fanout.logFirstLoss(
      "\(count) events of \(machine.name) were lost: \(why). To fix, \(advice).")
    if isFirst { core.reportedLosses.add(count, ordering: .relaxed) }
  }

  /// Records that the event filter excluded a step.
  func recordExcluded(_ seq: Int64) {
    lastSeen = max(lastSeen, seq)
    counted.denied += 1
    addReason("excluded by the event filter")
  }

  /// Records that something could not be encoded, also in the entry.
  func recordFailure(_ error: any Error, of what: String, in draft: inout EntryDraft) {
    let text = Entry.failure(of: what) + describe(error)
    draft.error = draft.error ?? text
    countFailure(error, of: what)
  }

  /// Records that something could not be encoded, and has no entry.
  func countFailure(_ error: any Error, of what: String) {
    addReason("the \(what) cannot be encoded as JSON")
    core.counters.update { $0.failures += 1 }
    let why = describe(error)
    fanout.logFirstLoss(
      """
      \(what == "event" ? "An" : "A") \(what) of \(machine.name) cannot be encoded as JSON: \(why)\(why.hasSuffix(".") ? "" : ".") \
      To fix, let encode(to:) succeed for every value.
      """)
  }

  /// Reports, once for each machine, that more is hidden than the rules name.
  func reportFullMemory() {
    guard !hasFullMemory else { return }
    hasFullMemory = true
    core.counters.update { $0.overredacted += 1 }
    core.options.log(
      """
      \(machine.name) redacts more values than the recorder can remember. From now on it also hides \
      text that only might contain one of them. To fix, redact fewer or shorter values.
      """)
  }

  /// Describes an error of the app's code.
  ///
  /// The description of an `EncodingError` contains the value, and so may any other. With redaction
  /// only the error's type is shown.
  func describe(_ error: any Error) -> String { Self.describe(error, isRedacting: isRedacting) }

  /// Describes an error, with or without redaction.
  static func describe(_ error: any Error, isRedacting: Bool) -> String {
    guard case EncodingError.invalidValue(let value, let context) = error else {
      return isRedacting ? "\(type(of: error))" : "\(error)"
    }
    let what = "a value of type \(type(of: value))"
    if isRedacting { return "EncodingError, for \(what)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return
      "EncodingError, for \(what)\(path.isEmpty ? "" : " at \(path)"): \(context.debugDescription)"
  }

  /// Makes the entry of an event that cannot be encoded, which says so.
  func unwritable(
    _ details: StepDetails, _ type: Any.Type?, _ error: any Error, base: Int, t: Int64
  ) -> EntryDraft {
    var draft = EntryDraft(seq: Int64(details.number - base), t: t)
    draft.event = substitute(for: type, "cannot be encoded as JSON: \(describe(error))")[...]
    draft.origin = EntryOrigin(details.origin.rawValue)
    draft.at = details.callSite.description
    return draft
  }

  /// Makes the substitute for an event that is not written: its type's name, and why.
  func substitute(for type: Any.Type?, _ why: String) -> [UInt8] {
    var object = JSON.Object()
    object["type"] = .string(type.map(SchemaTypes.name(of:)) ?? "event")
    object["$error"] = .string("the event \(why)")
    return JSON.object(object).encoded()
  }

  /// Returns the name of an event, for the filter.
  func name(of event: [UInt8], _ type: Any.Type?) -> String {
    if let slice = try? JSONSlice(validating: event), let name = Entry.name(of: slice) {
      return name
    }
    return type.map { "\($0)" } ?? ""
  }
}
