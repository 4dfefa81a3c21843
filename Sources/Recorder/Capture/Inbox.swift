public import Synchronization
import Timelines

/// Where a machine leaves its steps, and the recorder's thread takes them.
///
/// One for each machine, of the machine's own types, so that a push is a few stores: storage is
/// taken in whole and given back, nothing is allocated for a step, and the thread is woken only when
/// it sleeps and there was nothing before.
@usableFromInline
package final class Inbox<State: Sendable, Payload: Sendable>: Sendable {
  @usableFromInline package typealias Step = CapturedStep<State, Payload>

  @usableFromInline
  struct Contents: Sendable {
    /// The waiting steps: a ring that begins at `head` once it has reached the limit of events.
    @usableFromInline var steps: [Step] = []
    @usableFromInline var head = 0
    /// How many were lost since the last time that steps were taken.
    @usableFromInline var lost = 0
    /// How many states were left here since the beginning.
    @usableFromInline var statesPushed = 0
    /// Whether the step before was captured with its state.
    @usableFromInline var hadState = true
    /// How much time copies may take yet, in nanoseconds, and when that was reckoned.
    @usableFromInline var copyBudget = 0.0
    @usableFromInline var reckoned: UInt64 = 0
    /// The moments that states were restored to, by the number of the step.
    var restored: [Int: EntryReference] = [:]

    @usableFromInline init() {}
  }

  @usableFromInline let contents: Mutex<Contents>
  @usableFromInline let limits: CaptureLimits
  @usableFromInline let alarm: Alarm
  /// What the scribe reckons a state and an event to take.
  @usableFromInline let stateBytes = Atomic<Int>(0)
  @usableFromInline let eventBytes = Atomic<Int>(0)
  /// How often the scribe has taken steps.
  @usableFromInline let looks = Atomic<Int>(0)
  /// How many states the scribe is done with.
  @usableFromInline let statesTaken = Atomic<Int>(0)
  /// Whether somebody still takes what is left here.
  @usableFromInline let isOpen = Atomic<Bool>(true)
  /// Whether the machine is gone: nothing will be left here any more.
  @usableFromInline let hasEnded = Atomic<Bool>(false)
  /// What is kept of the event that a thread is handling.
  let inFlight = Mutex<(@Sendable (UInt) -> Payload?)?>(nil)
  /// The process that it was made in; in a forked child nobody takes anything.
  @usableFromInline let generation = ForkWatch.generation

  init(limits: CaptureLimits, alarm: Alarm) {
    contents = Mutex(Contents())
    self.limits = limits.normalized
    self.alarm = alarm
  }

  /// Whether a step that is made now is to be left with its state.
  ///
  /// `isCopied` is whether keeping the state makes the machine copy it at its next step.
  @inlinable
  func wantsState(isCopied: Bool, now: UInt64) -> Bool {
    guard generation == ForkWatch.generation else { return false }
    return contents.withLock { contents in
      guard hasRoomForState(contents) else { return false }
      return !isCopied || payCopy(&contents, now: now)
    }
  }

  /// Leaves a step here; its state is left out when there is no room for it.
  @inlinable
  func push(_ step: Step) {
    guard isOpen.load(ordering: .relaxed), generation == ForkWatch.generation else { return }
    let isFirst = contents.withLock { contents in
      // What replaced the state by no event cannot be computed again, so it always has room.
      let isKept = step.payload == nil || hasRoomForState(contents)
      if isKept, step.after != nil { contents.statesPushed &+= 1 }
      let count = contents.steps.count
      // Once the ring has turned, its storage is what there is until it is taken.
      if contents.head == 0 || contents.head >= count, count < eventLimit {
        contents.head = 0
        contents.steps.append(isKept ? step : step.thinned)
        return count == 0
      }
      // The oldest gives way to the newest.
      if contents.head >= count { contents.head = 0 }
      if contents.steps[contents.head].after != nil {
        statesTaken.wrappingAdd(1, ordering: .relaxed)
      }
      contents.steps[contents.head] = isKept ? step : step.thinned
      contents.head += 1
      contents.lost += 1
      return false
    }
    if isFirst { alarm.ring() }
  }

  /// How many steps may wait; never less than there are.
  @inlinable
  var eventLimit: Int {
    let bytes = eventBytes.load(ordering: .relaxed)
    // A step without a state takes some two hundred bytes by itself.
    guard bytes > 1_024 else { return limits.events }
    return min(limits.events, max(2, limits.bytes / bytes))
  }

  @inlinable
  func hasRoomForState(_ contents: borrowing Contents) -> Bool {
    let waiting = contents.statesPushed &- statesTaken.load(ordering: .relaxed)
    guard waiting < limits.states else { return false }
    // The first is always taken, or a large state would never be seen.
    return waiting == 0 || (waiting + 1) * stateBytes.load(ordering: .relaxed) <= limits.bytes
  }

  /// Pays for one copy, when there is time for it.
  @usableFromInline
  func payCopy(_ contents: inout Contents, now: UInt64) -> Bool {
    let bytes = stateBytes.load(ordering: .relaxed)
    // A copy this small is lost in the cost of any reducer.
    guard bytes > 2_048 else { return true }
    let cost = Double(bytes) * CopyCost.nanosecondsPerByte
    let passed = now > contents.reckoned ? Double(now - contents.reckoned) : 0
    // What is saved up is one copy: a burst after a rest gets no more of them.
    contents.copyBudget = min(contents.copyBudget + passed * limits.copyShare, cost)
    contents.reckoned = now
    guard contents.copyBudget >= cost else { return false }
    contents.copyBudget -= cost
    return true
  }

  /// Says that nothing more will be left here.
  @usableFromInline
  func end() {
    hasEnded.store(true, ordering: .releasing)
    alarm.ring()
  }
}

/// What copying a state costs that a reducer changes in place.
enum CopyCost {
  /// A megabyte of plain numbers takes a tenth of a nanosecond a byte; one of strings and arrays,
  /// each to be retained, a third. The larger one, so that the share is kept in either case.
  static let nanosecondsPerByte = 0.35
}

/// What was taken from an inbox at once.
struct TakenSteps<State: Sendable, Payload: Sendable> {
  /// The steps, in order from `head` on, and from the beginning up to it.
  var steps: [CapturedStep<State, Payload>] = []
  var head = 0
  /// How many were lost before the first of them.
  var lost = 0
  /// The moments that states were restored to, by the number of the step.
  var restored: [Int: EntryReference] = [:]

  /// The step at a place in their order.
  subscript(index: Int) -> CapturedStep<State, Payload> {
    let place = index + head
    return steps[place < steps.count ? place : place - steps.count]
  }
}

extension Inbox {
  /// Takes what waits, and leaves empty storage for what comes.
  func take(leaving storage: consuming sending [Step]) -> TakenSteps<State, Payload> {
    contents.withLock { contents in
      guard !contents.steps.isEmpty else { return TakenSteps() }
      var taken = TakenSteps<State, Payload>()
      swap(&taken.steps, &contents.steps)
      contents.steps = storage
      taken.head = contents.head < taken.steps.count ? contents.head : 0
      taken.lost = contents.lost
      swap(&taken.restored, &contents.restored)
      contents.head = 0
      contents.lost = 0
      looks.wrappingAdd(1, ordering: .relaxed)
      return taken
    }
  }

  /// Whether something waits.
  var isWaiting: Bool { contents.withLock { !$0.steps.isEmpty } }

  /// Notes that the step of that number restores the state of an entry.
  func note(_ moment: EntryReference, number: Int) {
    contents.withLock { $0.restored[number] = moment }
  }

  /// Takes nothing from now on.
  func close() {
    isOpen.store(false, ordering: .relaxed)
    contents.withLock { contents in
      contents.steps = []
      contents.head = 0
    }
  }
}
