import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

/// Writes the steps of one machine as entries of a timeline.
final class MachineScribe<Appearance: MachineAppearance, Payload: Sendable>: Scribe
where Appearance.State: Sendable {
  typealias State = Appearance.State

  /// How steps get their numbers.
  enum Numbering {
    /// The machine counts its steps, and stood at this one, in this state, when it was recorded.
    case machine(number: Int, state: State, time: UInt64)
    /// Nobody counts; the first state is given, or the first step brings it.
    case scribe(first: State?, time: UInt64)
  }

  private let machine: RecordedMachine
  private let inbox: Inbox<State, Payload>
  private let appearance: Appearance
  private let input: (Payload) -> Appearance.Input
  private let facts: MachineFacts
  private let numbering: Numbering
  private let lines: TimelineDesk

  private var writer: RunWriter<Appearance>?
  /// What was hidden in the timeline before, when that was closed at the other end.
  private var memory: RedactionMemory?
  private var taken: TakenSteps<State, Payload>
  private let same = ByteEquality<State>()
  /// The number of the next step, where nobody else counts.
  private var nextNumber = 0
  /// The number of the event that a thread seemed to die of, until the step comes that it becomes where
  /// the program lives on.
  private var trapped: Int?
  /// The state of the entry before, where it is to be compared with what a function is called with.
  private var last: State?
  /// Whether a timeline was closed at the other end, so that another is to be opened.
  private var isReopening = false
  private var isClosed = false

  init(
    _ machine: RecordedMachine, _ inbox: Inbox<State, Payload>, _ appearance: Appearance,
    _ facts: MachineFacts, _ numbering: Numbering, _ desk: Desk,
    input: @escaping (Payload) -> Appearance.Input
  ) {
    self.machine = machine
    self.inbox = inbox
    self.appearance = appearance
    self.input = input
    self.facts = facts
    self.numbering = numbering
    taken = TakenSteps(inbox)
    lines = TimelineDesk(machine, desk, lineBytes: inbox.limits.lineBytes)
  }

  var hasWork: Bool {
    inbox.isWaiting || inbox.hasEnded.load(ordering: .acquiring)
      || (writer == nil && beginsByItself)
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
    // What was lost right before it has numbers, too.
    _ = writeNext()
    if writer == nil, !isReopening {
      // Its very first event: nobody has seen a state of it.
      open(nil, after: nil, number: 0, time: lines.desk.core.clock.now)
    }
    guard var writer = self.writer.take() else { return }
    defer { self.writer = writer }
    let details = StepDetails(
      number: nextNumber, cause: nil, origin: .app, callSite: CallSite(), error: nil, isHeld: false)
    let time = lines.t(at: lines.desk.core.clock.now)
    guard !leavesOut(payload, error: nil, writer) else { return }
    guard var draft = try? writer.writeThinned(input(payload), details, t: time) else { return }
    trapped = nextNumber
    nextNumber += 1
    draft.trap()
    finish(draft, &writer, state: nil)
    lines.flush()
  }

  func stopTaking() { inbox.close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    inbox.close()
    lines.desk.core.remove(machine)
    if writer == nil, !isReopening, beginsByItself { begin() }
    // Where steps were lost and none came after them, that is told at the end.
    while writeNext() {}
    lines.flush()
    if lines.isOpen { lines.close() }
  }

  func answer(_ request: SinkRequest) {
    switch request {
    case .keyframe(let timeline) where timeline == lines.timeline:
      writer?.forceKeyframe()
    case .reopen(let timeline) where timeline == lines.timeline:
      lines.close()
      memory = writer?.redactionMemory ?? memory
      writer = nil
      last = nil
      isReopening = true
    default: break
    }
  }

  func write(upTo count: Int) -> Bool {
    let hasBegun = writer != nil
    if !hasBegun, !isReopening, beginsByItself { begin() }
    taken.look(at: lines.desk.core.clock.now)
    var written = 0
    let isLast = count == .max
    while written < count, isLast || !lines.desk.core.isDying.load(ordering: .relaxed), writeNext()
    {
      written += 1
    }
    lines.flush()
    return written > 0 || !hasBegun && writer != nil
  }

  /// Writes one step; false when there is none.
  private func writeNext() -> Bool {
    lines.noteTaking()
    guard let hadState = writeTaken() else { return false }
    // Let go of as soon as it was written; the app may be waiting to change it in place.
    if hadState { inbox.statesTaken.add(1, ordering: .relaxed) }
    return true
  }

  /// Writes one step and lets go of it; answers whether it had a state, nil when there was no step.
  @inline(never)
  private func writeTaken() -> Bool? {
    var step = CapturedStep<State, Payload>()
    if taken.next(&step) {
      write(step)
      return step.after != nil
    }
    guard taken.lost > 0 else { return nil }
    noteLost(taken.takeLost())
    return writeTaken()
  }
}

// Beginnings.
extension MachineScribe {
  /// Whether the first state is known before any step.
  private var beginsByItself: Bool {
    switch numbering {
    case .machine: true
    case .scribe(let first, _): first != nil
    }
  }

  /// Opens the timeline with the state that the machine had when it was recorded.
  private func begin() {
    switch numbering {
    case .machine(let number, let state, let time):
      open(state, after: nil, number: number, time: time)
    case .scribe(let first, let time):
      guard let first else { return }
      open(first, after: nil, number: 0, time: time)
    }
  }

  /// Opens a timeline whose entry 0 is the step of that number.
  private func open(
    _ state: State?, after input: Appearance.Input?, number: Int, time: UInt64
  ) {
    var writer = RunWriter(
      appearance, identity: machine.identity, base: number, redaction: machine.redaction)
    writer.redactionMemory = memory.take()
    lines.isRedacting = writer.isRedacting
    lines.open(
      facts, appearance.outputKinds, redaction: writer.redaction, base: number, time: time)
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
        lines.noteFailure(error, of: "state", in: &draft)
        writer.lost()
      }
    }
    finish(draft, &writer, state: state)
    self.writer = writer
  }

  private func noteLost(_ count: Int) {
    // The first of them is there all the same, as what a thread seemed to die of.
    let count = trapped.take() == nil ? count : count - 1
    guard count > 0 else { return }
    nextNumber += count
    lines.noteOverflow(count)
    last = nil
  }
}

// Steps. What is done for each of them is one function to the compiler: apart, each part would look up
// what the types of the step are, which took a fifth of the thread's time.
extension MachineScribe {
  @inline(__always)
  private func write(_ step: CapturedStep<State, Payload>) {
    guard writer != nil else { return openWith(step) }
    writeOpened(step)
  }

  /// The first step of a function, or of a timeline that replaces a deleted one.
  @inline(never)
  private func openWith(_ step: CapturedStep<State, Payload>) {
    if isReopening {
      // Begins with the first state that is there again.
      guard let state = step.after else { return }
      let number = if case .machine = numbering { step.number } else { 0 }
      return open(
        state, after: step.payload.map(input), number: number, time: step.time)
    }
    if step.before == nil, step.payload == nil, let first = step.after {
      // A store that asked its reducer for the first state.
      return open(first, after: nil, number: 0, time: step.time)
    }
    open(step.before, after: nil, number: 0, time: step.time)
    writeOpened(step)
  }

  /// Writes a step where the timeline is open.
  @inline(__always)
  private func writeOpened(_ step: CapturedStep<State, Payload>) {
    if trapped != nil, isTrapped(step) { return }
    guard var writer = self.writer.take() else { return }
    defer { self.writer = writer }
    if case .scribe = numbering { writeJump(before: step, &writer) }
    let details = details(of: step)
    nextNumber = details.number + 1
    let seq = Int64(details.number - writer.base)
    guard isRecorded(step, seq, &writer) else { return }
    if lines.isBehind(seq) { writer.lost() }
    guard var draft = draft(of: step, details, &writer) else {
      lines.miss(seq)
      writer.lost()
      last = nil
      return
    }
    draft.ns = step.duration.map(Int64.init(clamping:))
    finish(draft, &writer, state: step.after)
  }

  /// Whether a step is the one that a thread seemed to die of: the program lives on, for it ignored the
  /// signal, or recovered from it.
  ///
  /// The event is in the timeline by then, without its state, so the next entry brings a full one.
  @inline(never)
  private func isTrapped(_ step: CapturedStep<State, Payload>) -> Bool {
    guard let number = trapped.take() else { return false }
    if case .scribe = numbering { return step.payload != nil }
    return step.number <= number
  }

  /// The step's details, with a number where nobody else counted.
  @inline(__always)
  private func details(of step: CapturedStep<State, Payload>) -> StepDetails {
    if case .scribe = numbering { return step.details(number: nextNumber) }
    return step.details(number: step.number)
  }

  /// Writes that a function was called with a state that it had not returned.
  @inline(__always)
  private func writeJump(
    before step: CapturedStep<State, Payload>, _ writer: inout RunWriter<Appearance>
  ) {
    guard let before = step.before, let last, !isSame(last, before) else { return }
    let details = step.details(number: nextNumber)
    do {
      let draft = try writer.write(nil, before, details, t: lines.t(at: step.time))
      nextNumber += 1
      finish(draft, &writer, state: before)
    } catch {
      lines.countFailure(error, of: "state")
      writer.lost()
    }
  }

  /// Whether two states are the same value: by their own bytes, which is cheap, else encoded.
  private func isSame(_ one: State, _ other: State) -> Bool {
    if same.isCertain(one, other) { return true }
    let encoder = CanonicalEncoder()
    guard let old = try? encoder.encode(appearance.recorded(one)),
      let new = try? encoder.encode(appearance.recorded(other))
    else { return false }
    return old == new
  }

  /// Asks the event filter, and notes what it leaves out.
  @inline(__always)
  private func isRecorded(
    _ step: CapturedStep<State, Payload>, _ seq: Int64, _ writer: inout RunWriter<Appearance>
  ) -> Bool {
    guard let payload = step.payload, leavesOut(payload, error: step.extra?.error, writer)
    else { return true }
    lines.noteDenied(seq)
    writer.lost()
    last = nil
    return false
  }

  /// Whether the event filter leaves an event out.
  @inline(__always)
  private func leavesOut(
    _ payload: Payload, error: (any Error)?, _ writer: borrowing RunWriter<Appearance>
  ) -> Bool {
    let filter = machine.filter ?? lines.desk.filter
    guard filter != .all else { return false }
    let context = EventContext(patch: nil, base: writer.base, error: error)
    guard let event = try? appearance.event(input(payload), in: context) else { return false }
    return !filter.records(lines.name(of: event, facts.eventType))
  }

  @inline(__always)
  private func draft(
    of step: CapturedStep<State, Payload>, _ details: StepDetails,
    _ writer: inout RunWriter<Appearance>
  ) -> EntryDraft? {
    let t = lines.t(at: step.time)
    let input = step.payload.map(input)
    var failure: (any Error)?
    if let state = step.after, !lines.isHoldingOff(at: step.time) || input == nil {
      do {
        let restored = input == nil ? inbox.takeRestored(by: details.number) : nil
        return try writer.write(
          input, state, details, t: t, restored: restored, elsewhere: lines.desk.entry(of:))
      } catch {
        failure = error
      }
    }
    guard let input else {
      // Nobody can compute this state again, so there is no entry without it.
      if let failure { lines.countFailure(failure, of: "state") }
      return nil
    }
    var draft: EntryDraft
    do {
      draft = try writer.writeThinned(input, details, t: t, elsewhere: lines.desk.entry(of:))
      if let failure { lines.noteFailure(failure, of: "state", in: &draft) }
    } catch {
      draft = lines.unwritable(details, facts.eventType, error, base: writer.base, t: t)
      lines.noteFailure(error, of: "event", in: &draft)
    }
    return draft
  }

  /// Measures the entry, lets the desk write it, and remembers what follows from it.
  @inline(__always)
  private func finish(
    _ draft: EntryDraft, _ writer: inout RunWriter<Appearance>, state: State?
  ) {
    // `Redacted` properties are found when they are encoded for the first time.
    lines.isRedacting = writer.isRedacting
    if writer.isRedacting, writer.hidesMoreThanSecrets { lines.noteFullMemory() }
    if let bytes = draft.state?.count { inbox.stateBytes.store(bytes, ordering: .relaxed) }
    if let bytes = draft.event?.count { inbox.eventBytes.store(bytes, ordering: .relaxed) }
    switch lines.write(draft) {
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
