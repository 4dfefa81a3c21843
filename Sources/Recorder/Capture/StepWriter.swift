public import StatesCore
public import Synchronization

/// Writes the steps of a machine into its inbox.
///
/// Only the thread that sends to the machine may use it. A step is written in place: its event
/// before the reducer runs, where a crash handler can find it, and the rest afterwards. A plain
/// step allocates nothing and takes no lock, and the recorder's thread is woken only if it sleeps.
///
/// When the machine goes away, so does its writer, which ends the inbox.
// Safe: `@exclusivity(unchecked)` because every property is read and replaced as a whole on the
// machine's isolation and never lent, so the dynamic exclusivity check cannot find anything. The
// pointers are those of the current block, which the inbox keeps alive.
@usableFromInline
package final class StepWriter<State: Sendable, Payload: Sendable> {
  @usableFromInline let inbox: Inbox<State, Payload>
  @usableFromInline let clock: RecorderClock
  @usableFromInline let isMonotonic: Bool
  @usableFromInline let stateLimit: Int
  @usableFromInline let stateBudget: Int
  let copyShare: Double

  // The current block. Initially there is none, which is treated like a full one.
  // Safe: as the type's comment says, like all other properties with this attribute.
  @exclusivity(unchecked) @usableFromInline var payloads: UnsafeMutablePointer<Payload?>
  @exclusivity(unchecked) @usableFromInline var notes: UnsafeMutablePointer<StepNote>
  @exclusivity(unchecked) @usableFromInline var states: UnsafeMutablePointer<State>
  @exclusivity(unchecked) @usableFromInline var counts: UnsafeMutablePointer<Atomic<UInt64>>
  private var block = StepBlock<State, Payload>(capacity: 1)
  /// The number of steps, notes, and states in the block, and the current limits.
  @exclusivity(unchecked) @usableFromInline var count = 0
  @exclusivity(unchecked) @usableFromInline var noteCount = 0
  @exclusivity(unchecked) @usableFromInline var stateCount = 0
  @exclusivity(unchecked) @usableFromInline var limit = 0
  @exclusivity(unchecked) @usableFromInline var noteLimit = 0

  /// The recorder thread's poll count at the last step.
  @exclusivity(unchecked) @usableFromInline var lastPoll = -1
  /// The number of steps since that poll.
  @exclusivity(unchecked) @usableFromInline var stepsSincePoll = 0
  /// Whether an interrupted step must be resumed after this one.
  @exclusivity(unchecked) @usableFromInline var hasDeferredWork = false
  /// When the reducer of the current step began; 0 if its duration is not measured.
  @exclusivity(unchecked) @usableFromInline var begun: UInt64 = 0
  /// The last time that was read, and the coarse clock at that moment.
  @exclusivity(unchecked) @usableFromInline var lastTime: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var lastTick: UInt64 = 0

  /// The last note, with the number of the last step.
  @exclusivity(unchecked) @usableFromInline var lastNote = StepNote.none

  /// The number of states that were written so far, written before this block, and dropped.
  @exclusivity(unchecked) @usableFromInline var writtenStates = 0
  private var statesBeforeBlock = 0
  @exclusivity(unchecked) @usableFromInline var droppedStates = 0
  /// The duration of the shortest step that copied the state.
  @exclusivity(unchecked) @usableFromInline var copyTime = UInt64.max
  /// Whether the block was ended because too many states that replaced others wait.
  var isCrowded = false

  /// Events whose reducers called the machine's function recursively.
  private var interrupted: [Payload?] = []
  /// The nanoseconds that copies may still take, and when that was last updated.
  var copyBudget = 0.0
  var budgetTime: UInt64 = 0

  init(_ registration: Registration<State, Payload>) {
    inbox = registration.inbox
    clock = registration.clock
    isMonotonic = registration.clock.isMonotonic
    stateLimit = registration.inbox.limits.states
    stateBudget = registration.inbox.limits.bytes
    copyShare = registration.inbox.limits.copyShare
    (payloads, notes, states) = (block.payloads, block.notes, block.states)
    counts = block.counts
  }

  deinit {
    cancel()
    inbox.end()
  }

  /// The number of steps after a poll that have exact times. Of later ones, one in `stepsPerTime`
  /// has.
  ///
  /// The thread polls every two milliseconds when it is busy, so only an app that sends more than
  /// 30,000 events a second skips reading the clock, which takes as long as the rest of a step.
  @inlinable static var exactSteps: Int { 64 }
  @inlinable static var stepsPerTime: Int { 16 }
  /// One in this many reads the coarse clock, which takes as long as the rest of a step in a burst.
  @inlinable static var stepsPerTick: Int { 4 }
}

// Writing a step.
extension StepWriter {
  /// Whether an event is being handled.
  @inlinable var isBusy: Bool { inbox.handling.load(ordering: .relaxed) != 0 }

  /// Begins a step with its event; nil if the state is replaced without an event.
  ///
  /// Between two polls of the recorder's thread only the first step is timed.
  @inlinable
  @inline(__always)
  func begin(_ payload: Payload?) {
    guard count < limit, !isBusy else { return beginSlowly(payload) }
    // Safe: `count` is below the block's capacity, and that element is not initialized yet.
    (payloads + count).initialize(to: payload)
    inbox.handling.store(ThreadIdentity.current, ordering: .relaxed)
    begun = inbox.polls.load(ordering: .relaxed) == lastPoll ? 0 : time
  }

  /// Begins a step if the block is full, or a reducer calls its own function.
  @usableFromInline
  @inline(never)
  func beginSlowly(_ payload: Payload?) {
    if isBusy {
      // Safe: a step is begun, so its event is there.
      interrupted.append((payloads + count).move())
      inbox.handling.store(0, ordering: .relaxed)
      hasDeferredWork = true
    }
    guard count < limit || startNextBlock() else { return }
    (payloads + count).initialize(to: payload)
    inbox.handling.store(ThreadIdentity.current, ordering: .relaxed)
    begun = inbox.polls.load(ordering: .relaxed) == lastPoll ? 0 : time
  }

  /// Replaces the event, which may be complete only after it was handled.
  @inlinable
  func complete(_ payload: Payload?) {
    guard isBusy else { return begin(payload) }
    // Safe: a step is begun, so its event is there.
    payloads[count] = payload
  }

  /// Discards the step that was begun: nothing happened.
  @usableFromInline
  func cancel() {
    guard isBusy else { return }
    inbox.handling.store(0, ordering: .relaxed)
    // Safe: a step was begun, so its event is there.
    (payloads + count).deinitialize(count: 1)
    if hasDeferredWork { finishDeferredWork() }
  }

  /// Finishes the step, with its state if there is room for it.
  ///
  /// Always inlined and without another call in between, so that the state is copied only once.
  @inlinable
  @inline(__always)
  func finish(
    _ after: State, number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64,
    isReplaced: Bool = false
  ) {
    guard isBusy else { return }
    // A state that was replaced without an event cannot be computed again, so it is always kept.
    let isKept = isReplaced || hasRoomForState
    if isKept {
      writtenStates &+= 1
      keep(after)
    }
    writeNote(isKept, number: number, callSite: callSite, extra: extra, time: time)
    publish()
    if isReplaced { endBlockIfCrowded() }
  }

  /// Finishes the step, and also stores the state before it.
  @inlinable
  func finish(
    _ before: State, _ after: State, number: Int, callSite: CallSite, extra: StepExtra?,
    time: UInt64
  ) {
    guard isBusy else { return }
    if hasRoomForState {
      keep(before)
      writeBeforeNote()
    }
    finish(after, number: number, callSite: callSite, extra: extra, time: time)
  }

  /// Finishes the step without its state.
  @inlinable
  func finishThinned(number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64) {
    guard isBusy else { return }
    writeNote(false, number: number, callSite: callSite, extra: extra, time: time)
    publish()
  }

  @inlinable
  @inline(__always)
  func keep(_ state: State) {
    // Safe: a block has room for two more states when a step is begun.
    (states + stateCount).initialize(to: state)
    stateCount &+= 1
  }

  /// Writes a note about the step, unless everything in it follows from the note before. The first
  /// step of a block always has one, because the block before may be dropped.
  @inlinable
  @inline(__always)
  func writeNote(
    _ hasState: Bool, number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64
  ) {
    lastNote.number &+= 1
    guard
      extra != nil || count == 0 || time != lastNote.time || hasState != lastNote.hasState
        || number != lastNote.number || !callSite.isIdentical(to: lastNote.callSite)
    else { return }
    lastNote = StepNote(
      hasState: hasState, extra: nil, number: number, time: time, callSite: callSite, index: count)
    // Safe: a block has room for two more notes when a step is begun.
    (notes + noteCount).initialize(
      to: StepNote(
        hasState: hasState, extra: extra, number: number, time: time, callSite: callSite,
        index: count))
    noteCount &+= 1
  }

  /// Writes a note that the step also has the state before it.
  @inlinable
  @inline(__always)
  func writeBeforeNote() {
    // Safe: a block has room for two more notes when a step is begun.
    (notes + noteCount).initialize(to: .before(count))
    noteCount &+= 1
  }

  /// The number of the next step, for functions, which do not count their steps.
  @inlinable var nextNumber: Int { lastNote.number &+ 1 }

  /// Finishes the step with its event only. The rest is as in the step before, which must have no
  /// state.
  @inlinable
  @inline(__always)
  func finishEventOnly() {
    guard isBusy else { return }
    lastNote.number &+= 1
    publish()
  }

  @inlinable
  @inline(__always)
  func publish() {
    count &+= 1
    counts.pointee.store(
      StepBlock<State, Payload>.packed(steps: count, notes: noteCount, states: stateCount),
      ordering: .releasing)
    inbox.handling.store(0, ordering: .relaxed)
    let current = inbox.polls.load(ordering: .relaxed)
    if current == lastPoll, noteCount < noteLimit, stateCount < noteLimit, !hasDeferredWork {
      stepsSincePoll &+= 1
    } else {
      finishDeferredWork()
    }
  }

  /// Does the rarely needed work after a step.
  @usableFromInline
  @inline(never)
  func finishDeferredWork() {
    if noteCount >= noteLimit || stateCount >= noteLimit { limit = count }
    if hasDeferredWork {
      hasDeferredWork = false
      if let outer = interrupted.popLast() {
        begin(outer)
        // Its duration before the inner step is not known anymore.
        begun = 0
        hasDeferredWork = !interrupted.isEmpty
      }
    }
    let current = inbox.polls.load(ordering: .relaxed)
    guard current != lastPoll else { return }
    lastPoll = current
    stepsSincePoll = 0
    guard inbox.isAccepting else { return limit = 0 }
    // The limit shrinks if events turn out to be large.
    limit = min(limit, max(count, inbox.eventLimit / 4))
    inbox.wakeSignal.wakeIfAsleep()
  }

  /// Starts another block; false if the recorder accepts nothing anymore.
  private func startNextBlock() -> Bool {
    guard inbox.isAccepting else {
      inbox.reportDroppedStep()
      return false
    }
    // Plus one for the next state.
    let over = isCrowded ? max(0, statesWaiting - stateLimitOfReplacements + 1) : 0
    isCrowded = false
    let (next, lost) = inbox.nextBlock(
      statesInLast: writtenStates - statesBeforeBlock, statesOver: over)
    block = next
    (payloads, notes, states) = (next.payloads, next.notes, next.states)
    counts = next.counts
    (count, noteCount, stateCount, limit) = (0, 0, 0, next.capacity)
    // One step may have two notes and two states.
    noteLimit = max(1, StepBlock<State, Payload>.maximumNotes(in: limit) - 1)
    statesBeforeBlock = writtenStates
    droppedStates += lost
    return true
  }
}

// The time of a step.
extension StepWriter {
  @inlinable var time: UInt64 { isMonotonic ? RecorderClock.systemTime : clock.now }

  /// The time for a step that finishes now.
  ///
  /// In a burst the clock is not read for each step: a step may have the time of another at most
  /// sixteen steps and four milliseconds earlier. If the machine was idle in between and the
  /// recorder's thread did not poll, up to three steps may keep the time from before.
  @inlinable
  @inline(__always)
  func now() -> UInt64 {
    guard isMonotonic else { return clock.now }
    // A timed step began at an exact time, which may be later than the last one read.
    if stepsSincePoll >= Self.exactSteps, begun == 0 {
      guard stepsSincePoll % Self.stepsPerTick == 0 else { return lastTime }
      let tick = RecorderClock.tick
      if tick == lastTick, stepsSincePoll % Self.stepsPerTime != 0 { return lastTime }
      lastTick = tick
    }
    lastTime = RecorderClock.systemTime
    return lastTime
  }

  /// The duration of the reducer until now; 0 if it was not measured.
  @inlinable
  @inline(__always)
  func duration(until now: UInt64) -> UInt64 { begun == 0 ? 0 : now > begun ? now &- begun : 1 }
}
