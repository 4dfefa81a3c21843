import Replaying
import StatesCore
import Synchronization
import Timelines

// When the program dies.
extension RecorderCore {
  /// Asks for a moment when the program dies; the answer is for ``CrashWatch/end(_:)``.
  func watchForDeath() -> Int? {
    CrashWatch.shared?.begin { [weak self] thread in
      let isWritten = self?.askToWrite(victim: thread)
      return { [weak self] time in self?.rescue(isWritten, within: time) }
    }
  }

  /// The recording is over: sinks may go, and the program may die as it likes.
  func leave() {
    CrashWatch.shared?.end(deathWatch.load(ordering: .relaxed))
    // Longer than any daemon on this machine needs; a daemon that is not there is not waited for
    // any longer.
    let sinks = sinks.compactMap { $0 as? any AskingSink }
    for sink in sinks { sink.finish(within: .seconds(5)) }
    LiveRecorders.finish(sinks, patience: options.exitPatience)
  }

  /// Waits until the event that a thread was handling when it died is written, and what waited before
  /// it, and has the operating system take it all.
  private func rescue(_ isWritten: Flag?, within time: Duration) {
    let end = monotonicTime() + time
    // Some of the time is the operating system's, also where not all was written.
    if let isWritten { _ = wait(for: isWritten, until: end - time / 4) }
    if let isWritten, !isWritten.isRaised {
      let count = unwritten
      if count > 0 { options.log("\(count) entries were not written: the program died first.") }
    }
    // Where the program lives on, its thread goes on soon, and must not be looked at any more.
    shared.withLockIfAvailable { shared in
      guard shared.victim.take() != nil else { return }
      isDying.store(false, ordering: .relaxed)
    }
    for sink in sinks {
      _ = (sink as? any AskingSink)?.handOver(within: max(.zero, end - monotonicTime()))
    }
  }
}

extension EntryDraft {
  /// Says that the program died while this event was handled.
  ///
  /// Nobody knows where it was sent: that is only told once it was handled.
  mutating func trap() {
    error = "trapped"
    at = nil
    ns = nil
  }
}
