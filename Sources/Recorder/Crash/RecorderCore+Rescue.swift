import Replaying
import StatesCore
import Synchronization
import Timelines

// Rescuing entries when the program crashes.
extension RecorderCore {
  /// Registers a rescue; returns the id for ``CrashWatch/end(_:)``.
  func watchForCrash() -> Int? {
    CrashWatch.shared?.begin { [weak self] thread in
      let isWritten = self?.requestWrite(crashedThread: thread)
      return { [weak self] time in self?.rescue(isWritten, within: time) }
    }
  }

  /// Ends the crash watch and lets the sinks finish, because the recording is over.
  func finishSinks() {
    CrashWatch.shared?.end(crashWatchID.load(ordering: .relaxed))
    // Longer than any daemon on this machine needs. An absent daemon is not waited for.
    let sinks = sinks.compactMap { $0 as? any BufferingSink }
    for sink in sinks { sink.finish(within: .seconds(5)) }
    LiveRecorders.finish(sinks, patience: options.exitTimeout)
  }

  /// Waits until everything up to the event that a thread crashed in is written, and passes it to
  /// the operating system.
  private func rescue(_ isWritten: AtomicFlag?, within time: Duration) {
    let end = monotonicTime() + time
    // A quarter of the time is for the sinks, even if not everything was written.
    if let isWritten { _ = wait(for: isWritten, until: end - time / 4) }
    if isWritten != nil { reportUnwrittenAtCrash() }
    // If the program survives, its thread continues soon, and must not be inspected anymore.
    shared.withLockIfAvailable { shared in
      guard shared.crashedThread.take() != nil else { return }
      isCrashing.store(false, ordering: .relaxed)
    }
    for sink in sinks {
      _ = (sink as? any BufferingSink)?.handOver(within: max(.zero, end - monotonicTime()))
    }
    for sink in sinks {
      (sink as? any ReportingSink)?.reportUnsent("the program died first", isOver: false)
    }
  }
}

extension EntryDraft {
  /// Marks the entry of an event in which the program crashed.
  ///
  /// Its call site is not known: that is recorded only after an event was handled.
  mutating func markTrapped() {
    error = "trapped"
    at = nil
    ns = nil
  }
}
