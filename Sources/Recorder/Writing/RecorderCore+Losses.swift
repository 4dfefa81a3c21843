import Replaying
import Synchronization

// What the end of the process leaves unwritten.
extension RecorderCore {
  /// The entries that no sink has yet.
  var unwritten: Int {
    // A log's closure may ask while a sink has the lock.
    let isOver = isGivenUp.withLockIfAvailable { $0 } ?? false
    return isOver ? 0 : machines.reduce(0) { $0 + $1.unwritten }
  }

  /// Gives entries to the sinks, unless they were given up; answers whether it did.
  func unlessGivenUp(_ write: () -> Void) -> Bool {
    isGivenUp.withLock { isGivenUp in
      guard !isGivenUp else { return false }
      write()
      return true
    }
  }

  /// Gives up what is not written yet, counts it as lost, and reports it in one line: the process
  /// ends.
  func giveUp() {
    guard isOurs else { return }
    // Whatever the thread does from here on, it does not get to a sink.
    let machines = machines
    guard stopWriting() else { return }
    let count = machines.reduce(0) { $0 + $1.unwritten }
    if count > 0 {
      counters.update { $0.lost += count }
      options.log(
        """
        \(count) entries were not written: the program ended first. To fix, give \
        close(within:) more time before the program ends.
        """)
    }
    for sink in sinks { (sink as? any ReportingSink)?.reportUnsent() }
  }

  /// Lets no more entries through to the sinks; false when that was so already.
  private func stopWriting() -> Bool {
    // A sink that hangs holds the lock; the end of the process does not wait for it.
    let end = monotonicTime() + .milliseconds(20)
    while true {
      let isFirst = isGivenUp.withLockIfAvailable { isGivenUp in
        defer { isGivenUp = true }
        return !isGivenUp
      }
      if let isFirst { return isFirst }
      guard monotonicTime() < end else { return true }
      rest()
    }
  }
}
