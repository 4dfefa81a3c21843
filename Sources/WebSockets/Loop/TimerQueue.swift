internal import CLibWebsockets

/// Identifies a timer for `Loop.cancel`.
package struct TimerID: Hashable, Sendable {
  let number: UInt64
}

/// The pending timers of a loop, the next one last. A loop has few of them.
struct TimerQueue {
  private struct Entry {
    let id: TimerID
    let time: Int64
    let action: (isolated Loop) -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  /// Adds a timer. Timers with the same time run in the order in which they were added.
  mutating func add(at time: Int64, _ action: @escaping (isolated Loop) -> Void) -> TimerID {
    lastNumber += 1
    let entry = Entry(id: TimerID(number: lastNumber), time: time, action: action)
    let index = entries.lastIndex { $0.time > time }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: index)
    return entry.id
  }

  mutating func remove(_ id: TimerID) {
    entries.removeAll { $0.id == id }
  }

  mutating func removeAll() { entries = [] }

  /// The time of the next timer.
  var next: Int64? { entries.last?.time }

  /// Removes and returns the action of the next timer, if it is due.
  mutating func removeDue(at now: Int64) -> ((isolated Loop) -> Void)? {
    guard let last = entries.last, last.time <= now else { return nil }
    entries.removeLast()
    return last.action
  }
}

extension Duration {
  /// Whole microseconds, limited to what the library's clock can represent.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    // A century: no timer is longer, and adding it to the clock cannot overflow.
    let limit: Int64 = 100 * 365 * 86_400 * 1_000_000
    guard !isTooLong, abs(whole) < limit else { return seconds < 0 ? 0 : limit }
    return whole + attoseconds / 1_000_000_000_000
  }

  /// Whole seconds, rounded up, at least 1, for the library's timeouts.
  var wholeSeconds: Int32 {
    Int32(clamping: max(1, (microseconds + 999_999) / 1_000_000))
  }
}

/// The library's timer of one loop, which fires for the next entry of its `TimerQueue`.
///
/// Safe: `@unchecked` because only the loop's thread accesses the memory, during the lifetime of its
/// context.
struct LoopTimer: @unchecked Sendable {
  let memory: UnsafeMutablePointer<shim_timer>

  /// Creates the timer of a loop.
  init(of loop: Loop) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: shim_timer())
    // Safe: the loop's thread retains the loop for as long as the timer can fire.
    memory.pointee.owner = Unmanaged.passUnretained(loop).toOpaque()
  }

  /// Frees the memory, after the context is destroyed.
  func free() {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

/// The library calls this function when the timer fires.
func timerCallback(_ entry: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  guard let entry else { return }
  // Safe: the entry is the first field of a shim_timer, the only kind that we schedule.
  let timer = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: shim_timer.self)
  guard let owner = timer.pointee.owner else { return }
  // Safe: see LoopTimer.init.
  let loop = Unmanaged<Loop>.fromOpaque(owner).takeUnretainedValue()
  loop.assumeIsolated { $0.runDueTimers() }
}

extension Loop {
  /// Sets the library's timer to the next pending timer.
  func scheduleNextTimer() {
    guard let context, let libraryTimer, let next = timers.next else { return }
    shim_timer_set(
      context.pointer, libraryTimer.memory, timerCallback, max(1, next &- lws_now_usecs()))
  }

  /// Runs the timers that are due.
  func runDueTimers() {
    // Timers that an action schedules for now run in the next round, so that this one ends.
    let now = lws_now_usecs()
    while let action = timers.removeDue(at: now) { action(self) }
    scheduleNextTimer()
  }
}
