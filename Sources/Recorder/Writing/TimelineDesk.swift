import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

/// The timeline of one machine on its way to the sinks: gaps, limits and counts.
///
/// It knows nothing of the machine's types.
final class TimelineDesk {
  /// What became of an entry.
  enum Outcome {
    /// It holds the state, or what changed in it.
    case withState
    /// The same, and the next one is to hold the full state.
    case withStateKeyframeDue
    /// Its state was left out, or it was not written at all.
    case withoutState
  }

  let desk: Desk
  private let machine: RecordedMachine
  private let lineBytes: Int
  private var batch: [WrittenEntry] = []
  private var batchBytes = 0
  /// The recorder's clock when an entry made the batch go.
  private var lastFlush: UInt64 = 0
  private var counted = RecorderStatistics()
  /// The recorder's clock at entry 0.
  private var started: UInt64 = 0
  private var lastT: Int64 = 0
  private var lastSeq: Int64 = -1
  /// The latest seq that was given to a step, written or not.
  private var lastSeen: Int64 = -1
  /// Why there will be a gap.
  private var reasons: [String] = []
  private var sinceKeyframe = 0
  private var heldOffUntil: UInt64 = 0

  /// Whether something of the machine must not be seen, and so what its types say when they fail.
  var isRedacting = false
  /// Whether a timeline is open at the sinks.
  private(set) var isOpen = false
  private var hasHadTimeline = false
  private var hasFullMemory = false

  init(_ machine: RecordedMachine, _ desk: Desk, lineBytes: Int) {
    self.machine = machine
    self.desk = desk
    self.lineBytes = lineBytes
  }

  /// The timeline that is written now.
  var timeline: TimelineID { machine.timeline }

  /// What a batch holds at most before the sinks get it, so that long lines do not pile up.
  private static let batchLimit = 1 << 20
  /// In nanoseconds: where entries take longer than this, each goes to the sinks by itself, and none
  /// waits for the end of a turn, nor for that of the program.
  private static let batchAge: UInt64 = 1_000_000

  /// Opens a timeline whose entry 0 is the machine's step `base`, made at that time.
  func open(
    _ facts: MachineFacts, _ outputs: [Header.Output], redaction: RedactionRules, base: Int,
    time: UInt64
  ) {
    let ancestor = hasHadTimeline ? nil : desk.core.ancestors[machine.identity]
    if hasHadTimeline {
      let old = machine.timeline
      machine.timeline = .random()
      desk.core.handler.move(old, to: machine.timeline)
    }
    hasHadTimeline = true
    (started, lastT, lastSeq, lastSeen, sinceKeyframe) = (time, 0, -1, -1, 0)
    reasons = []
    let now = desk.core.clock.now
    let age = now > time ? Int64((now - time) / 1_000) : 0
    var wall = HeaderFacts.now
    wall.microseconds -= age
    do {
      let header = try facts.header(
        timeline, of: machine, app: desk.core.app, outputs: outputs,
        redaction: redaction, started: wall, forkedFrom: ancestor)
      desk.open(header, identity: machine.identity, base: base)
      isOpen = true
    } catch {
      desk.tellOfLoss("\(machine.name) is not recorded, for its header cannot be written: \(error)")
    }
  }

  /// Closes the timeline; what is missing at its end is told.
  func close() {
    flush()
    guard isOpen else { return }
    isOpen = false
    let lost = lastSeen - lastSeq
    desk.close(
      timeline, identity: machine.identity, gap: lost > 0 ? Gap(lost: lost, why: why) : nil)
  }

  /// Microseconds since the timeline's start, never decreasing.
  func t(at time: UInt64) -> Int64 {
    guard time > started else { return lastT }
    return max(lastT, Int64(clamping: (time - started) / 1_000))
  }

  /// Whether entries before that seq are missing.
  func isBehind(_ seq: Int64) -> Bool { seq > lastSeq + 1 }

  /// Writes an entry, with the gap before it, as long as it may be.
  func write(_ draft: EntryDraft) -> Outcome {
    // Two entries of one seq would spoil the timeline for all who read it.
    guard draft.seq > lastSeq else { return .withoutState }
    var draft = draft
    lastSeen = max(lastSeen, draft.seq)
    let missing = draft.seq - lastSeq - 1
    if missing > 0 { draft.gap = Gap(lost: missing, why: why) }
    var line = draft.line
    if line.count > lineBytes {
      guard draft.restored == nil, !draft.isJump else {
        noteLost(1, why: "a state of \(line.count) bytes was too long")
        return .withoutState
      }
      shorten(&draft)
      line = draft.line
    }
    reasons = []
    lastSeq = draft.seq
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
    if case .atLeastEvery(let count) = desk.core.options.snapshots, sinceKeyframe + 1 >= count {
      return .withStateKeyframeDue
    }
    return .withState
  }

  /// Leaves out what makes the line too long: the state, and when it is not that, the event.
  private func shorten(_ draft: inout EntryDraft) {
    if let bytes = (draft.state ?? draft.patch)?.count {
      draft.thin()
      draft.omitted = Int64(bytes)
      holdOff(bytes)
      desk.tellOfLoss(
        """
        A state of \(machine.name) is longer than a line may be, and was left out: \(bytes) bytes. \
        To fix, raise RecorderOptions.capture.lineBytes, or record a smaller part.
        """)
    }
    let event = draft.event?.count ?? 0
    // What remains besides the event are numbers and a call site.
    guard event > max(0, lineBytes - 4_096) else { return }
    draft.event = standIn(for: nil, "is longer than a line may be: \(event) bytes")[...]
    desk.tellOfLoss("An event of \(machine.name) was left out for its length: \(event) bytes.")
  }

  /// Encoding a state that is too long anyway must not take the thread from others: it is tried
  /// again after twenty times as long as it took, at ten nanoseconds a byte.
  private func holdOff(_ bytes: Int) {
    heldOffUntil = desk.core.clock.now &+ UInt64(bytes) &* 200
  }

  /// Whether states are not looked at for a while, for the last one was too long.
  func isHoldingOff(at time: UInt64) -> Bool { time < heldOffUntil }

  /// Gives what is written to the sinks.
  func flush() {
    // What was given up is counted as lost already.
    guard desk.core.unlessGivenUp({ if isOpen { desk.append(batch, to: timeline) } }) else {
      return
    }
    batch.removeAll(keepingCapacity: true)
    batchBytes = 0
    machine.inHand.store(0, ordering: .relaxed)
    guard counted != RecorderStatistics() else { return }
    let counted = counted
    desk.core.counters.update { total in
      total.recorded += counted.recorded
      total.thinned += counted.thinned
      total.denied += counted.denied
      total.bytes += counted.bytes
    }
    self.counted = RecorderStatistics()
  }

  private func add(_ entry: WrittenEntry) {
    batch.append(entry)
    batchBytes += entry.line.count
    counted.recorded += 1
    counted.bytes += entry.line.count + 1
    let now = desk.core.clock.now
    guard batchBytes >= Self.batchLimit || now &- lastFlush >= Self.batchAge else { return }
    lastFlush = now
    flush()
  }

  /// Notes that a step is about to be taken from the machine.
  @inline(__always)
  func noteTaking() { machine.inHand.store(batch.count + 1, ordering: .relaxed) }
}

// Losses and failures.
extension TimelineDesk {
  private var why: String {
    reasons.isEmpty ? "what came before could not be written" : reasons.joined(separator: "; ")
  }

  private func note(_ reason: String) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Notes that there is no entry of that seq: the next one, or the end, tells of it.
  func miss(_ seq: Int64) { lastSeen = max(lastSeen, seq) }

  /// Notes that the steps that come next are lost, for which the recorder had no room.
  func noteOverflow(_ count: Int) {
    lastSeen = max(lastSeen, lastSeq) + Int64(count)
    noteLost(count, why: "more was sent than the recorder had room for")
  }

  /// Notes that steps are lost, whose seqs are known.
  private func noteLost(_ count: Int, why: String) {
    note(why)
    desk.core.counters.update { $0.lost += count }
    desk.tellOfLoss("\(count) events of \(machine.name) were lost: \(why).")
  }

  /// Notes that the event filter left out a step.
  func noteDenied(_ seq: Int64) {
    lastSeen = max(lastSeen, seq)
    counted.denied += 1
    note("left out by the event filter")
  }

  /// Notes that something could not be encoded, in the entry as well.
  func noteFailure(_ error: any Error, of what: String, in draft: inout EntryDraft) {
    let text = Entry.failure(of: what) + words(of: error)
    draft.error = draft.error ?? text
    countFailure(error, of: what)
  }

  /// Notes that something could not be encoded, and that there is no entry of it.
  func countFailure(_ error: any Error, of what: String) {
    note("the \(what) can not be written as JSON")
    desk.core.counters.update { $0.failures += 1 }
    desk.tellOfLoss("A \(what) of \(machine.name) can not be written as JSON: \(words(of: error))")
  }

  /// Reports, once for each machine, that more is hidden than what rules name.
  func noteFullMemory() {
    guard !hasFullMemory else { return }
    hasFullMemory = true
    desk.core.counters.update { $0.overredacted += 1 }
    desk.core.options.log(
      """
      \(machine.name) has hidden more text than the recorder remembers. From now on it also hides \
      text that only might contain one of the values. To fix, hide fewer or shorter values.
      """)
  }

  /// What there is to say of an error of the app's own code.
  ///
  /// An `EncodingError` holds the value that it is about, and shows it; so may any error, where some
  /// of the machine is hidden.
  func words(of error: any Error) -> String { Self.words(of: error, isRedacting: isRedacting) }

  /// The same, where something is hidden or not.
  static func words(of error: any Error, isRedacting: Bool) -> String {
    guard case EncodingError.invalidValue(let value, let context) = error else {
      return isRedacting ? "\(type(of: error))" : "\(error)"
    }
    let what = "a value of type \(type(of: value))"
    if isRedacting { return "EncodingError, for \(what)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return
      "EncodingError, for \(what)\(path.isEmpty ? "" : " at \(path)"): \(context.debugDescription)"
  }

  /// The entry of an event that cannot be encoded: it says so in the event's place.
  func unwritable(
    _ details: StepDetails, _ type: Any.Type?, _ error: any Error, base: Int, t: Int64
  ) -> EntryDraft {
    var draft = EntryDraft(seq: Int64(details.number - base), t: t)
    draft.event = standIn(for: type, "can not be written as JSON: \(words(of: error))")[...]
    draft.origin = EntryOrigin(details.origin.rawValue)
    draft.at = details.callSite.description
    return draft
  }

  /// What stands in an event's place that is not written: its type's name, and why.
  func standIn(for type: Any.Type?, _ why: String) -> [UInt8] {
    var object = JSON.Object()
    object["type"] = .string(type.map(SchemaTypes.name(of:)) ?? "event")
    object["$error"] = .string("the event \(why)")
    return JSON.object(object).encoded()
  }

  /// The name of an event, for the filter.
  func name(of event: [UInt8], _ type: Any.Type?) -> String {
    if let slice = try? JSONSlice(validating: event), let name = Entry.name(of: slice) {
      return name
    }
    return type.map { "\($0)" } ?? ""
  }
}
