import Replaying
import Synchronization
import Timelines

// Entries that are unwritten when the process ends.
extension RecorderCore {
  /// The number of entries that have not reached a sink.
  var unwritten: Int { isOver ? 0 : machines.reduce(0) { $0 + $1.unwritten } }

  /// The number of steps that were dropped for lack of room and are not in `counters` yet.
  var uncountedLosses: Int { isOver ? 0 : machines.reduce(0) { $0 + $1.uncountedLosses } }

  /// Whether unwritten entries were abandoned, and so are in `counters`.
  private var isOver: Bool {
    // The log closure may call this while a sink holds the lock.
    isAbandoned.withLockIfAvailable { $0 } ?? false
  }

  /// Passes entries to the sinks, unless they were abandoned. Returns whether it did.
  func unlessAbandoned(_ write: () -> Void) -> Bool {
    isAbandoned.withLock { isAbandoned in
      guard !isAbandoned else { return false }
      write()
      return true
    }
  }

  /// Abandons unwritten entries because the process ends: counts them as lost, and reports them in
  /// one line.
  func abandonUnwritten() {
    guard isOurs else { return }
    // From here on the recorder's thread cannot reach a sink.
    let machines = machines
    guard stopWriting() else { return }
    let count = machines.reduce(0) { $0 + $1.unwritten + $1.uncountedLosses }
    reportLosses()
    defer { reportUnsent("the program ended first") }
    guard count > 0 else { return }
    counters.update { $0.lost += count }
    reportedLosses.add(count, ordering: .relaxed)
    options.log(
      """
      \(Counted.entriesWere(count)) not written: the program ended first. To fix, call close(within:) with \
      more time before the program ends.
      """)
  }

  /// Reports unwritten entries in one line while the program crashes. Nothing is counted, because
  /// some programs survive.
  func reportUnwrittenAtCrash() {
    let count = machines.reduce(0) { $0 + $1.unwritten + $1.uncountedLosses }
    guard count > 0 else { return }
    options.log(
      """
      \(Counted.entriesWere(count)) not written: the program died first. To fix, record smaller states, \
      which are written sooner.
      """)
  }

  /// Makes the sinks report what they did not deliver.
  func reportUnsent(_ why: String) {
    for sink in sinks { (sink as? any ReportingSink)?.reportUnsent(why, isOver: true) }
  }

  /// Stops entries from reaching the sinks; false if they were stopped before.
  private func stopWriting() -> Bool {
    // A sink that hangs holds the lock; do not wait for it at exit. A thread that waits for a busy
    // processor holds it, too, and what it passes on meanwhile is counted twice.
    let end = monotonicTime() + .milliseconds(200)
    while true {
      let isFirst = isAbandoned.withLockIfAvailable { isAbandoned in
        defer { isAbandoned = true }
        return !isAbandoned
      }
      if let isFirst { return isFirst }
      guard monotonicTime() < end else { return true }
      sleepOneMillisecond()
    }
  }
}

// Losses before the end.
extension RecorderCore {
  /// Reports how many lost events no log line has mentioned, because the recording ends.
  func reportLosses() {
    let count = markLossesReported()
    guard count > 0 else { return }
    options.log(
      "\(count) more \(count == 1 ? "event was" : "events were") lost. To fix, raise the limits in RecorderOptions.capture."
    )
  }

  /// Returns how many losses no log line has mentioned, and marks them as reported.
  private func markLossesReported() -> Int {
    let lost = counters.statistics.lost
    let reported = reportedLosses.exchange(lost, ordering: .relaxed)
    return max(0, lost - reported)
  }
}
