import Synchronization

/// Wakes the recorder's thread when it sleeps, and costs a load when it does not.
@usableFromInline
package final class Alarm: Sendable {
  private let isAsleep = Atomic<Bool>(false)
  private let waker = Waker()

  init() {}

  /// Wakes the thread, if it sleeps.
  @usableFromInline
  func ring() {
    // Ordered after the step: the thread says that it sleeps before it looks for the last time.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isAsleep.load(ordering: .relaxed) else { return }
    wake()
  }

  /// Wakes the thread.
  func wake() {
    waker?.wake()
  }

  /// Sleeps until woken, unless something came in between.
  func sleep(unless hasWork: () -> Bool) {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    defer { isAsleep.store(false, ordering: .relaxed) }
    guard !hasWork() else { return }
    // Who leaves a step rings only when the thread has looked since the step before, and reads that
    // without a fence. A step that was under way during the look above may neither have been seen nor
    // ring; ten milliseconds later, ages for a processor, a second look finds it.
    guard !nap(for: .milliseconds(10)), !hasWork() else { return }
    nap(for: nil)
  }

  /// Sleeps for a time; steps do not end it. Answers whether it was woken.
  @discardableResult
  func nap(for time: Duration?) -> Bool {
    guard let waker else {
      rest()
      return true
    }
    return waker.wait(time)
  }
}
