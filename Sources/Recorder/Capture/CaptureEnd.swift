public import StatesCore
public import Synchronization

/// The machine's end of an inbox: notes what is handled, and leaves the step when it is done.
///
/// It belongs to whoever sends to the machine. A step is put together where it stays: its event is
/// written before the reducer runs, where a crash handler finds it, and what else is known of it
/// afterwards. Nothing is allocated for a plain step, no lock is taken, and the recorder's thread is
/// woken only when it sleeps.
///
/// When the machine goes away, so does this, and the thread learns that nothing more will come.
// Safe: what varies is read and replaced whole on the machine's isolation, never lent, so there is
// nothing for the dynamic exclusivity check to find. The pointers are those of the block that is being
// filled, which the inbox keeps.
@usableFromInline
package final class CaptureEnd<State: Sendable, Payload: Sendable> {
  @usableFromInline let inbox: Inbox<State, Payload>
  @usableFromInline let clock: RecorderClock
  @usableFromInline let isMonotonic: Bool
  @usableFromInline let stateLimit: Int
  @usableFromInline let stateBudget: Int
  let copyShare: Double

  // The block that is being filled; at first there is none, which is as good as a full one.
  // Safe: as above.
  @exclusivity(unchecked) @usableFromInline var payloads: UnsafeMutablePointer<Payload?>
  @exclusivity(unchecked) @usableFromInline var notes: UnsafeMutablePointer<StepNote>
  @exclusivity(unchecked) @usableFromInline var states: UnsafeMutablePointer<State>
  @exclusivity(unchecked) @usableFromInline var counts: UnsafeMutablePointer<Atomic<UInt64>>
  private var block = StepBlock<State, Payload>(capacity: 1)
  // Safe: as above.
  /// How many steps and notes the block has, and how many steps it may have, as things are.
  @exclusivity(unchecked) @usableFromInline var count = 0
  @exclusivity(unchecked) @usableFromInline var noteCount = 0
  @exclusivity(unchecked) @usableFromInline var stateCount = 0
  @exclusivity(unchecked) @usableFromInline var limit = 0
  @exclusivity(unchecked) @usableFromInline var noteLimit = 0

  // Safe: as above.
  /// The look of the recorder's thread that the last step came after.
  @exclusivity(unchecked) @usableFromInline var look = -1
  /// How many steps came after it.
  @exclusivity(unchecked) @usableFromInline var stepsSinceLook = 0
  // Safe: as above.
  /// Whether the thread may sleep, or a step waits for the end of this one.
  @exclusivity(unchecked) @usableFromInline var isMoreToDo = false
  /// When the reducer of the step under way began; 0 when that is not measured.
  @exclusivity(unchecked) @usableFromInline var begun: UInt64 = 0
  // Safe: as above.
  /// The last time, and the coarse clock then.
  @exclusivity(unchecked) @usableFromInline var lastTime: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var lastTick: UInt64 = 0

  // Safe: as above.
  /// What the last note says, with the number of the last step.
  @exclusivity(unchecked) @usableFromInline var noted = StepNote.none

  // Safe: as above.
  /// How many states were left since the beginning, or lost; and before the block.
  @exclusivity(unchecked) @usableFromInline var statesLeft = 0
  private var statesLeftBefore = 0
  @exclusivity(unchecked) @usableFromInline var statesGone = 0
  /// Whether the block was ended because too many states wait that replaced others.
  var isCrowded = false

  /// The events whose reducers called the machine's function again.
  private var interrupted: [Payload?] = []
  // Safe: as above.
  /// How long the shortest step took that copied the state.
  @exclusivity(unchecked) @usableFromInline var copyTime = UInt64.max
  /// How much time copies may take yet, in nanoseconds, and when that was reckoned.
  var copyBudget = 0.0
  var reckoned: UInt64 = 0

  init(_ admission: Admission<State, Payload>) {
    inbox = admission.inbox
    clock = admission.clock
    isMonotonic = admission.clock.isMonotonic
    stateLimit = admission.inbox.limits.states
    stateBudget = admission.inbox.limits.bytes
    copyShare = admission.inbox.limits.copyShare
    (payloads, notes, states) = (block.payloads, block.notes, block.states)
    counts = block.counts
  }

  deinit {
    cancel()
    inbox.end()
  }

  /// How many steps after a look of the recorder's thread have exact times; and then one in how many.
  ///
  /// The thread looks every two milliseconds when it is busy, so an app has to send 30,000 events a
  /// second before it is spared the clock, which takes as long as the rest of a step.
  @inlinable static var exactSteps: Int { 64 }
  @inlinable static var stepsPerTime: Int { 16 }
  /// And how many ask the coarse clock, which takes as long as the rest of what a burst's step does.
  @inlinable static var stepsPerTick: Int { 4 }
}

// A step.
extension CaptureEnd {
  /// Whether an event is being handled.
  @inlinable var isBusy: Bool { inbox.handling.load(ordering: .relaxed) != 0 }

  /// Notes the event that is handled next; nil when the state is replaced by none.
  ///
  /// Of the steps between two looks of the recorder's thread the duration of the first is measured.
  @inlinable
  @inline(__always)
  func begin(_ payload: Payload?) {
    guard count < limit, !isBusy else { return beginSlowly(payload) }
    // Safe: `count` is below the block's capacity, and nothing is there yet.
    (payloads + count).initialize(to: payload)
    inbox.handling.store(ThreadIdentity.current, ordering: .relaxed)
    begun = inbox.looks.load(ordering: .relaxed) == look ? 0 : time
  }

  /// The same where the block is full, or a reducer calls its own function.
  @usableFromInline
  @inline(never)
  func beginSlowly(_ payload: Payload?) {
    if isBusy {
      // Safe: a step is begun, so its event is there.
      interrupted.append((payloads + count).move())
      inbox.handling.store(0, ordering: .relaxed)
      isMoreToDo = true
    }
    guard count < limit || turn() else { return }
    (payloads + count).initialize(to: payload)
    inbox.handling.store(ThreadIdentity.current, ordering: .relaxed)
    begun = inbox.looks.load(ordering: .relaxed) == look ? 0 : time
  }

  /// Says what the event really was, for it is complete only when it was handled.
  @inlinable
  func complete(_ payload: Payload?) {
    guard isBusy else { return begin(payload) }
    // Safe: a step is begun, so its event is there.
    payloads[count] = payload
  }

  /// Forgets the event that was begun: it came to nothing.
  @usableFromInline
  func cancel() {
    guard isBusy else { return }
    inbox.handling.store(0, ordering: .relaxed)
    // Safe: a step was begun, so its event is there.
    (payloads + count).deinitialize(count: 1)
    if isMoreToDo { settle() }
  }

  /// Leaves the step that was begun, with its state when there is room for it.
  ///
  /// Always inlined, and with nothing on the way, so that the state is copied once.
  @inlinable
  @inline(__always)
  func finish(
    _ after: State, number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64,
    isReplaced: Bool = false
  ) {
    guard isBusy else { return }
    // What replaced the state by no event cannot be computed again, so it always has its state.
    let isKept = isReplaced || hasRoomForState
    if isKept {
      statesLeft &+= 1
      keep(after)
    }
    note(isKept, number: number, callSite: callSite, extra: extra, time: time)
    publish()
    if isReplaced { endBlockIfCrowded() }
  }

  /// The same, for a step of which the state before is told, too.
  @inlinable
  func finish(
    _ before: State, _ after: State, number: Int, callSite: CallSite, extra: StepExtra?,
    time: UInt64
  ) {
    guard isBusy else { return }
    if hasRoomForState {
      keep(before)
      noteBefore()
    }
    finish(after, number: number, callSite: callSite, extra: extra, time: time)
  }

  /// Leaves the step that was begun, without its state.
  @inlinable
  func finishThinned(number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64) {
    guard isBusy else { return }
    note(false, number: number, callSite: callSite, extra: extra, time: time)
    publish()
  }

  @inlinable
  @inline(__always)
  func keep(_ state: State) {
    // Safe: a block has room for two more states when a step is begun.
    (states + stateCount).initialize(to: state)
    stateCount &+= 1
  }

  /// Notes what is known of a step, unless that follows from the note before; the first step of a
  /// block has one, for the block before may be lost.
  @inlinable
  @inline(__always)
  func note(
    _ hasState: Bool, number: Int, callSite: CallSite, extra: StepExtra?, time: UInt64
  ) {
    noted.number &+= 1
    guard
      extra != nil || count == 0 || time != noted.time || hasState != noted.hasState
        || number != noted.number || !callSite.isIdentical(to: noted.callSite)
    else { return }
    noted = StepNote(
      hasState: hasState, extra: nil, number: number, time: time, callSite: callSite, index: count)
    // Safe: a block has room for two more notes when a step is begun.
    (notes + noteCount).initialize(
      to: StepNote(
        hasState: hasState, extra: extra, number: number, time: time, callSite: callSite,
        index: count))
    noteCount &+= 1
  }

  /// Notes that a step has a state before it.
  @inlinable
  @inline(__always)
  func noteBefore() {
    // Safe: as above.
    (notes + noteCount).initialize(to: .before(count))
    noteCount &+= 1
  }

  /// The number of a step where nobody counts.
  @inlinable var nextNumber: Int { noted.number &+ 1 }

  /// Leaves the step that was begun without anything but its event: the rest is as in the one before,
  /// which must have been left without its state.
  @inlinable
  @inline(__always)
  func finishBarely() {
    guard isBusy else { return }
    noted.number &+= 1
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
    let current = inbox.looks.load(ordering: .relaxed)
    if current == look, noteCount < noteLimit, stateCount < noteLimit, !isMoreToDo {
      stepsSinceLook &+= 1
    } else {
      settle()
    }
  }

  /// What seldom is to be done after a step.
  @usableFromInline
  @inline(never)
  func settle() {
    if noteCount >= noteLimit || stateCount >= noteLimit { limit = count }
    if isMoreToDo {
      isMoreToDo = false
      if let outer = interrupted.popLast() {
        begin(outer)
        // What it took before the inner one is not known any more.
        begun = 0
        isMoreToDo = !interrupted.isEmpty
      }
    }
    let current = inbox.looks.load(ordering: .relaxed)
    guard current != look else { return }
    look = current
    stepsSinceLook = 0
    guard inbox.isTaking else { return limit = 0 }
    // The events may have turned out to be large.
    limit = min(limit, max(count, inbox.eventLimit / 4))
    inbox.alarm.ring()
  }

  /// Begins another block; false when nobody takes anything any more.
  private func turn() -> Bool {
    guard inbox.isTaking else {
      inbox.refuse()
      return false
    }
    // One more is to have room.
    let over = isCrowded ? max(0, statesWaiting - stateLimitOfReplacements + 1) : 0
    isCrowded = false
    let (next, lost) = inbox.turn(statesInLast: statesLeft - statesLeftBefore, statesOver: over)
    block = next
    (payloads, notes, states) = (next.payloads, next.notes, next.states)
    counts = next.counts
    (count, noteCount, stateCount, limit) = (0, 0, 0, next.capacity)
    // Two notes and two states of one step must have room.
    noteLimit = max(1, StepBlock<State, Payload>.notes(in: limit) - 1)
    statesLeftBefore = statesLeft
    statesGone += lost
    return true
  }
}

// What a step is made of.
extension CaptureEnd {
  /// The exact time.
  @inlinable var time: UInt64 { isMonotonic ? RecorderClock.systemTime : clock.now }

  /// The time, for a step that is left now.
  ///
  /// In a burst it is not asked for each step: then the time is that of one at most sixteen steps
  /// and four milliseconds before; where the machine stood still meanwhile, and the recorder's thread
  /// did not look, three steps may keep the time of before.
  @inlinable
  @inline(__always)
  func now() -> UInt64 {
    guard isMonotonic else { return clock.now }
    // A step that is measured was begun at an exact time, which the last one may be before.
    if stepsSinceLook >= Self.exactSteps, begun == 0 {
      guard stepsSinceLook % Self.stepsPerTick == 0 else { return lastTime }
      let tick = RecorderClock.tick
      if tick == lastTick, stepsSinceLook % Self.stepsPerTime != 0 { return lastTime }
      lastTick = tick
    }
    lastTime = RecorderClock.systemTime
    return lastTime
  }

  /// How long the reducer took until now; 0 when that was not measured.
  @inlinable
  @inline(__always)
  func duration(until now: UInt64) -> UInt64 { begun == 0 ? 0 : now > begun ? now &- begun : 1 }
}
