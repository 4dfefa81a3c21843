import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

/// Reads the steps of one machine, and writes them as entries of a timeline.
final class TypedMachinePipeline<Appearance: MachineAppearance, Payload: Sendable>: MachinePipeline
where Appearance.State: Sendable {
  typealias State = Appearance.State

  enum Numbering {
    /// The machine counts its steps. When it was recorded it was at this step and in this state.
    case machine(number: Int, state: State, time: UInt64)
    /// The pipeline counts. The first state is given, or comes with the first step.
    case pipeline(first: State?, time: UInt64)
  }

  private let machine: RecordedMachine
  private let inbox: Inbox<State, Payload>
  private let appearance: Appearance
  private let input: (Payload) -> Appearance.Input
  private let facts: MachineFacts
  private let numbering: Numbering
  private let core: RecorderCore
  private let fanout: SinkFanout
  private let timelineWriter: TimelineWriter

  private var writer: RunWriter<Appearance>?
  /// The redaction memory of the previous timeline, if the daemon deleted that.
  private var memory: RedactionMemory?
  private var reader: StepReader<State, Payload>
  private let same = ByteEquality<State>()
  /// The number of the next step, if the pipeline counts.
  private var nextNumber = 0
  /// The number of the event in which a thread seemed to crash. If the program survives, its step
  /// follows later.
  private var trapped: Int?
  /// The state of the previous entry, to compare with the state that a function is called with.
  private var last: State?
  /// Whether the daemon deleted the timeline, so that another one must be opened.
  private var isReopening = false
  private var isClosed = false

  init(
    _ machine: RecordedMachine, _ inbox: Inbox<State, Payload>, _ appearance: Appearance,
    _ facts: MachineFacts, _ numbering: Numbering, _ fanout: SinkFanout,
    input: @escaping (Payload) -> Appearance.Input
  ) {
    self.machine = machine
    self.inbox = inbox
    self.appearance = appearance
    self.input = input
    self.facts = facts
    self.numbering = numbering
    reader = StepReader(inbox)
    (core, self.fanout) = (fanout.core, fanout)
    timelineWriter = TimelineWriter(machine, fanout, lineBytes: inbox.limits.lineBytes)
  }

  var hasWork: Bool {
    inbox.isWaiting || inbox.hasEnded.load(ordering: .acquiring)
      || (writer == nil && startsWithoutStep)
  }

  var isDone: Bool {
    inbox.hasEnded.load(ordering: .acquiring) && !inbox.isWaiting
  }

  var waiting: Int { inbox.waitingCount }

  func isHandling(on thread: UInt) -> Bool {
    inbox.handling.load(ordering: .acquiring) == thread
  }

  func writeTrapped(on thread: UInt) {
    guard let payload = inbox.trapped(on: thread) else { return }
    // Count what was lost right before it, because that has numbers, too.
    _ = writeNext()
    if writer == nil, !isReopening {
      // It is the machine's first event, so no state is known.
      open(nil, after: nil, number: 0, time: core.clock.now)
    }
    guard var writer = self.writer.take() else { return }
    defer { self.writer = writer }
    let details = StepDetails(
      number: nextNumber, cause: nil, origin: .app, callSite: CallSite(), error: nil, isHeld: false)
    let time = timelineWriter.t(at: core.clock.now)
    guard !leavesOut(payload, error: nil, writer) else { return }
    guard var draft = try? writer.writeThinned(input(payload), details, t: time) else { return }
    trapped = nextNumber
    nextNumber += 1
    draft.markTrapped()
    finish(draft, &writer, state: nil)
    timelineWriter.flush()
  }

  func stopAccepting() { inbox.close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    inbox.close()
    if writer == nil, !isReopening, startsWithoutStep { begin() }
    // If the last steps were lost, the gap is written at the end of the timeline.
    while writeNext() {}
    timelineWriter.flush()
    if timelineWriter.isOpen { timelineWriter.close() }
    recordRuleUse()
    // Last, because the process exit handler counts what the machines have not written.
    core.remove(machine)
  }

  private func recordRuleUse() {
    guard let writer, let use = writer.ruleUse else { return }
    core.recordRuleUse(writer.redaction, use, in: machine, ruleSchema)
  }

  private var ruleSchema: RuleSchema { RuleSchema(appearance.outputKinds, facts.eventSchema) }

  func answer(_ request: SinkRequest) {
    switch request {
    case .keyframe(let timeline) where timeline == timelineWriter.timeline:
      writer?.forceKeyframe()
    case .reopen(let timeline) where timeline == timelineWriter.timeline:
      timelineWriter.close()
      recordRuleUse()
      memory = writer?.redactionMemory ?? memory
      writer = nil
      last = nil
      isReopening = true
    case .keyframe, .reopen: break
    }
  }

  func write(upTo count: Int) -> Bool {
    let hasBegun = writer != nil
    if !hasBegun, !isReopening, startsWithoutStep { begin() }
    reader.poll(at: core.clock.now)
    var written = 0
    let isLast = count == .max
    while written < count, isLast || !core.isCrashing.load(ordering: .relaxed), writeNext() {
      written += 1
    }
    timelineWriter.flush()
    return written > 0 || !hasBegun && writer != nil
  }

  /// Writes one step; false if there is none.
  private func writeNext() -> Bool {
    guard let hadState = writeTaken() else { return false }
    timelineWriter.endStep()
    // The state is already released; the app may be waiting to change it in place.
    if hadState { inbox.statesRead.add(1, ordering: .relaxed) }
    return true
  }

  /// Writes and releases one step. Returns whether it had a state; nil if there was no step.
  @inline(never)
  private func writeTaken() -> Bool? {
    var step = CapturedStep<State, Payload>()
    if reader.next(&step, willRead: { timelineWriter.beginStep() }) {
      write(step)
      return step.after != nil
    }
    guard reader.lost > 0 else { return nil }
    countLost(reader.removeLost())
    return writeTaken()
  }
}

// Opening timelines.
extension TypedMachinePipeline {
  private var startsWithoutStep: Bool { numbering.startsWithoutStep }

  /// Opens the timeline with the state at the time of recording.
  private func begin() {
    switch numbering {
    case .machine(let number, let state, let time):
      open(state, after: nil, number: number, time: time)
    case .pipeline(let first, let time):
      guard let first else { return }
      open(first, after: nil, number: 0, time: time)
    }
  }

  /// Opens a timeline whose entry 0 is this step.
  private func open(
    _ state: State?, after input: Appearance.Input?, number: Int, time: UInt64
  ) {
    var writer = RunWriter(
      appearance, identity: machine.identity, base: number, redaction: machine.redaction)
    writer.redactionMemory = memory.take()
    timelineWriter.isRedacting = writer.isRedacting
    timelineWriter.open(
      facts, appearance.outputKinds, redaction: writer.redaction, base: number, time: time)
    if writer.isRedacting { core.checkRules(writer.redaction, of: machine, ruleSchema) }
    machine.base = number
    nextNumber = number + 1
    trapped = nil
    isReopening = false
    var draft = EntryDraft(seq: 0, t: 0)
    if let state {
      do {
        draft = try writer.begin(with: state, after: input, t: 0)
        last = state
      } catch {
        timelineWriter.recordFailure(error, of: "state", in: &draft)
        writer.lost()
      }
    }
    finish(draft, &writer, state: state)
    self.writer = writer
  }

  private func countLost(_ count: Int) {
    // The first of them is written already, as the event in which a thread seemed to crash.
    let count = trapped.take() == nil ? count : count - 1
    nextNumber += count
    timelineWriter.countOverflow(count, whenCounted: reader.clearLosses)
    if count > 0 { last = nil }
  }
}

// Writing steps. These functions are inlined into one: separately, each would look up the step's
// generic types again, which took a fifth of the thread's time.
extension TypedMachinePipeline {
  @inline(__always)
  private func write(_ step: CapturedStep<State, Payload>) {
    guard writer != nil else { return openWith(step) }
    writeOpened(step)
  }

  /// Opens a timeline with the first step of a function, or to replace a deleted timeline.
  @inline(never)
  private func openWith(_ step: CapturedStep<State, Payload>) {
    if isReopening {
      // Causes name steps by the numbers they had before the deletion.
      nextNumber = details(of: step).number + 1
      // The new timeline begins with the first state that is available.
      guard let state = step.after else { return }
      return open(state, after: step.payload.map(input), number: nextNumber - 1, time: step.time)
    }
    if step.before == nil, step.payload == nil, let first = step.after {
      // A store requested the first state from its reducer.
      return open(first, after: nil, number: 0, time: step.time)
    }
    open(step.before, after: nil, number: 0, time: step.time)
    writeOpened(step)
  }

  /// Writes a step to the open timeline.
  @inline(__always)
  private func writeOpened(_ step: CapturedStep<State, Payload>) {
    if trapped != nil, isTrapped(step) { return }
    guard var writer = self.writer.take() else { return }
    defer { self.writer = writer }
    if case .pipeline = numbering { writeJump(before: step, &writer) }
    let details = details(of: step)
    nextNumber = details.number + 1
    let seq = Int64(details.number - writer.base)
    guard isRecorded(step, seq, &writer) else { return }
    if timelineWriter.hasGap(before: seq) { writer.lost() }
    guard var draft = draft(of: step, details, &writer) else {
      timelineWriter.recordMissing(seq)
      writer.lost()
      last = nil
      return
    }
    draft.ns = step.duration.map(Int64.init(clamping:))
    finish(draft, &writer, state: step.after)
  }

  /// Whether a step is the one in which a thread seemed to crash: the program ignored the signal,
  /// or recovered from it.
  ///
  /// The event is already in the timeline, without its state, so the next entry carries the full
  /// state.
  @inline(never)
  private func isTrapped(_ step: CapturedStep<State, Payload>) -> Bool {
    guard let number = trapped.take() else { return false }
    if case .pipeline = numbering { return step.payload != nil }
    return step.number <= number
  }

  /// The step's details, numbered by the pipeline if the machine does not count.
  @inline(__always)
  private func details(of step: CapturedStep<State, Payload>) -> StepDetails {
    if case .pipeline = numbering { return step.details(number: nextNumber) }
    return step.details(number: step.number)
  }

  /// Writes a jump if a function was called with a state that it had not returned.
  @inline(__always)
  private func writeJump(
    before step: CapturedStep<State, Payload>, _ writer: inout RunWriter<Appearance>
  ) {
    guard let before = step.before, let last, !isSame(last, before) else { return }
    let details = step.details(number: nextNumber)
    do {
      let draft = try writer.write(nil, before, details, t: timelineWriter.t(at: step.time))
      nextNumber += 1
      finish(draft, &writer, state: before)
    } catch {
      timelineWriter.countFailure(error, of: "state")
      writer.lost()
    }
  }

  /// Whether two states are the same value: compares their bytes, which is cheap, and then their
  /// encodings.
  private func isSame(_ one: State, _ other: State) -> Bool {
    if same.isCertain(one, other) { return true }
    let encoder = CanonicalEncoder()
    guard let old = try? encoder.encode(appearance.recorded(one)),
      let new = try? encoder.encode(appearance.recorded(other))
    else { return false }
    return old == new
  }

  /// Applies the event filter, and counts what it excludes.
  @inline(__always)
  private func isRecorded(
    _ step: CapturedStep<State, Payload>, _ seq: Int64, _ writer: inout RunWriter<Appearance>
  ) -> Bool {
    guard let payload = step.payload, leavesOut(payload, error: step.extra?.error, writer)
    else { return true }
    timelineWriter.recordExcluded(seq)
    writer.lost()
    last = nil
    return false
  }

  /// Whether the event filter excludes an event.
  @inline(__always)
  private func leavesOut(
    _ payload: Payload, error: (any Error)?, _ writer: borrowing RunWriter<Appearance>
  ) -> Bool {
    let filter = machine.filter ?? fanout.filter
    guard filter != .all else { return false }
    let context = EventContext(patch: nil, base: writer.base, error: error)
    guard let event = try? appearance.event(input(payload), in: context) else { return false }
    return !filter.records(timelineWriter.name(of: event, facts.eventType))
  }

  @inline(__always)
  private func draft(
    of step: CapturedStep<State, Payload>, _ details: StepDetails,
    _ writer: inout RunWriter<Appearance>
  ) -> EntryDraft? {
    let t = timelineWriter.t(at: step.time)
    let input = step.payload.map(input)
    var failure: (any Error)?
    if let state = step.after, !timelineWriter.areStatesPaused(at: step.time) || input == nil {
      do {
        let restored = input == nil ? inbox.removeRestored(by: details.number) : nil
        return try writer.write(
          input, state, details, t: t, restored: restored, elsewhere: fanout.entry(of:))
      } catch {
        failure = error
      }
    }
    guard let input else {
      // This state cannot be computed again, so there is no entry without it.
      if let failure { timelineWriter.countFailure(failure, of: "state") }
      return nil
    }
    var draft: EntryDraft
    do {
      draft = try writer.writeThinned(input, details, t: t, elsewhere: fanout.entry(of:))
      if let failure { timelineWriter.recordFailure(failure, of: "state", in: &draft) }
    } catch {
      draft = timelineWriter.unwritable(details, facts.eventType, error, base: writer.base, t: t)
      timelineWriter.recordFailure(error, of: "event", in: &draft)
    }
    return draft
  }

  /// Writes the entry, and updates the state of the pipeline.
  @inline(__always)
  private func finish(
    _ draft: EntryDraft, _ writer: inout RunWriter<Appearance>, state: State?
  ) {
    // `Redacted` properties are discovered when they are first encoded.
    timelineWriter.isRedacting = writer.isRedacting
    if writer.isRedacting, writer.hidesMoreThanSecrets { timelineWriter.reportFullMemory() }
    if let bytes = draft.state?.count { inbox.stateBytes.store(bytes, ordering: .relaxed) }
    if let bytes = draft.event?.count { inbox.eventBytes.store(bytes, ordering: .relaxed) }
    switch timelineWriter.write(draft) {
    case .withState: last = state
    case .withStateKeyframeDue:
      last = state
      writer.forceKeyframe()
    case .withoutState:
      last = nil
      writer.lost()
    }
  }
}
