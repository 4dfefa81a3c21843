internal import CLibWebsockets

/// What `Loop.schedule` gives and `Loop.cancel` takes.
package struct AlarmID: Hashable, Sendable {
  let number: UInt64
}

/// What is to run later, the next one last. A loop has few of them.
struct Alarms {
  private struct Entry {
    let id: AlarmID
    let time: Int64
    let action: (isolated Loop) -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  /// Adds one. Of those with the same time the first added is the first to run.
  mutating func add(at time: Int64, _ action: @escaping (isolated Loop) -> Void) -> AlarmID {
    lastNumber += 1
    let entry = Entry(id: AlarmID(number: lastNumber), time: time, action: action)
    let place = entries.lastIndex { $0.time > time }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
    return entry.id
  }

  /// Takes one away.
  mutating func remove(_ id: AlarmID) {
    entries.removeAll { $0.id == id }
  }

  /// Takes all away.
  mutating func removeAll() { entries = [] }

  /// When the next one is due.
  var next: Int64? { entries.last?.time }

  /// Takes the next one if it is due.
  mutating func takeDue(at now: Int64) -> ((isolated Loop) -> Void)? {
    guard let last = entries.last, last.time <= now else { return nil }
    entries.removeLast()
    return last.action
  }
}

extension Duration {
  /// In whole microseconds, at most what the library's clock can hold.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    // A century; no timer is longer, and sums with the clock cannot overflow.
    let most: Int64 = 100 * 365 * 86_400 * 1_000_000
    guard !isTooLong, abs(whole) < most else { return seconds < 0 ? 0 : most }
    return whole + attoseconds / 1_000_000_000_000
  }

  /// In whole seconds, rounded up, at least 1: for the library's own timeouts.
  var wholeSeconds: Int32 {
    Int32(clamping: max(1, (microseconds + 999_999) / 1_000_000))
  }
}

/// The library's alarm clock of one loop, which rings for the next of its `Alarms`.
///
/// Safe: `@unchecked` because only the loop's thread touches the memory, between the start and the
/// end of its context.
struct AlarmClock: @unchecked Sendable {
  let memory: UnsafeMutablePointer<shim_alarm>

  /// A clock that belongs to that loop.
  init(of loop: Loop) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: shim_alarm())
    // Safe: the loop's thread holds the loop for as long as the clock can ring.
    memory.pointee.owner = Unmanaged.passUnretained(loop).toOpaque()
  }

  /// Frees it, after the context is gone.
  func free() {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

/// The function that the library calls when the clock rings.
func alarmCallback(_ entry: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  guard let entry else { return }
  // Safe: the entry is the first field of a shim_alarm, which is all that we arm.
  let alarm = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: shim_alarm.self)
  guard let owner = alarm.pointee.owner else { return }
  // Safe: see AlarmClock.init.
  let loop = Unmanaged<Loop>.fromOpaque(owner).takeUnretainedValue()
  loop.assumeIsolated { $0.ring() }
}

extension Loop {
  /// Has the clock ring when the next alarm is due.
  func armAlarm() {
    guard let context, let clock, let next = alarms.next else { return }
    shim_alarm_set(
      context.pointer, clock.memory, alarmCallback, max(1, next &- lws_now_usecs()))
  }

  /// Runs what is due.
  func ring() {
    // What an action schedules for now runs in the next round, so that this one ends.
    let now = lws_now_usecs()
    while let action = alarms.takeDue(at: now) { action(self) }
    armAlarm()
  }
}
