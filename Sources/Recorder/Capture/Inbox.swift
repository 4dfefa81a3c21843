public import StatesCore
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
    /// The waiting steps, oldest first.
    @usableFromInline var steps: [Step] = []
    /// Those before them, once there were too many for one half.
    @usableFromInline var older: [Step] = []
    /// How many were lost since the last time that steps were taken.
    @usableFromInline var lost = 0
    /// How many states were left here since the beginning, and before the first of `steps`.
    @usableFromInline var statesPushed = 0
    @usableFromInline var pushedBeforeSteps = 0
    /// How many states are in `older`.
    @usableFromInline var statesInOlder = 0
    /// How much time copies may take yet, in nanoseconds, and when that was reckoned.
    @usableFromInline var copyBudget = 0.0
    @usableFromInline var reckoned: UInt64 = 0
    /// The moments that states were restored to, by the number of the step.
    var restored: [Int: EntryReference] = [:]

    @usableFromInline init() {}

    /// Lets the older half go when as many steps wait as may.
    @inlinable
    @inline(__always)
    mutating func makeRoom(_ limit: Int, _ statesTaken: borrowing Atomic<Int>) {
      if steps.count >= limit / 2 { turnOver(statesTaken) }
    }

    @inlinable
    @inline(never)
    mutating func turnOver(_ statesTaken: borrowing Atomic<Int>) {
      statesTaken.add(statesInOlder, ordering: .relaxed)
      lost += older.count
      older.removeAll(keepingCapacity: true)
      swap(&older, &steps)
      statesInOlder = statesPushed &- pushedBeforeSteps
      pushedBeforeSteps = statesPushed
    }
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

  /// Leaves a step here; its states are left out when there is no room for them.
  ///
  /// Always inlined, so that the step is put together where it stays.
  @inlinable
  @inline(__always)
  func push(
    _ payload: Payload?, before: State? = nil, after: State?, _ details: StepDetails,
    time: UInt64, duration: UInt64
  ) {
    guard isOpen.load(ordering: .relaxed), generation == ForkWatch.generation else { return }
    let isFirst = contents.withLock { contents in
      // What replaced the state by no event cannot be computed again, so it always has room.
      let isKept = after != nil && (payload == nil || hasRoomForState(contents))
      contents.makeRoom(eventLimit, statesTaken)
      if isKept { contents.statesPushed &+= 1 }
      contents.steps.append(
        CapturedStep(
          payload: payload, before: isKept ? before : nil, after: isKept ? after : nil,
          details: details, time: time, duration: duration))
      return contents.steps.count == 1 && contents.older.isEmpty
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

extension Inbox {
  /// Takes what waits, and leaves the empty storage of what was taken before; false when nothing
  /// waits.
  func take(_ taken: inout TakenSteps<State, Payload>) -> Bool {
    contents.withLock { contents in
      guard !(contents.steps.isEmpty && contents.older.isEmpty) else { return false }
      swap(&taken.steps, &contents.steps)
      swap(&taken.older, &contents.older)
      swap(&taken.restored, &contents.restored)
      taken.lost = contents.lost
      contents.lost = 0
      contents.statesInOlder = 0
      contents.pushedBeforeSteps = contents.statesPushed
      looks.wrappingAdd(1, ordering: .relaxed)
      return true
    }
  }

  /// Whether something waits.
  var isWaiting: Bool { contents.withLock { !($0.steps.isEmpty && $0.older.isEmpty) } }

  /// Notes that the step of that number restores the state of an entry.
  func note(_ moment: EntryReference, number: Int) {
    contents.withLock { $0.restored[number] = moment }
  }

  /// Takes nothing from now on.
  func close() {
    isOpen.store(false, ordering: .relaxed)
    contents.withLock { contents in
      contents.steps = []
      contents.older = []
    }
  }
}
