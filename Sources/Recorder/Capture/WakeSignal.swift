import Synchronization

/// Wakes the recorder's thread if it sleeps, and costs one load if it does not.
@usableFromInline
package final class WakeSignal: Sendable {
  private let isAsleep = Atomic<Bool>(false)
  private let waker = Waker()

  init() {}

  /// Wakes the thread if it sleeps.
  @usableFromInline
  func wakeIfAsleep() {
    // The fence orders this load after the stores of the step: the thread sets the flag before it
    // polls for the last time.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isAsleep.load(ordering: .relaxed) else { return }
    wake()
  }

  func wake() {
    waker?.wake()
  }

  /// Sleeps until woken, unless work arrived in the meantime.
  func sleep(unless hasWork: () -> Bool) {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    defer { isAsleep.store(false, ordering: .relaxed) }
    guard !hasWork() else { return }
    // The sender wakes the thread only if it has polled since the sender's previous step, and reads
    // that without a fence. So a step that was in progress during the poll above may be missed by
    // both sides. Ten milliseconds later its stores are visible, and a second poll finds it.
    guard !sleep(for: .milliseconds(10)), !hasWork() else { return }
    sleep(for: nil)
  }

  /// Sleeps for a time; new steps do not end the sleep. Returns whether it was woken.
  @discardableResult
  func sleep(for time: Duration?) -> Bool {
    guard let waker else {
      sleepOneMillisecond()
      return true
    }
    return waker.wait(time)
  }
}
