public import Synchronization

/// Wakes the recorder's thread when it sleeps, and costs a load when it does not.
@usableFromInline
package final class Alarm: Sendable {
  @usableFromInline let isAsleep = Atomic<Bool>(false)
  private let waker = Waker()

  init() {}

  /// Wakes the thread, if it sleeps.
  @inlinable
  func ring() {
    // Ordered after the push: the thread says that it sleeps before it looks for the last time.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isAsleep.load(ordering: .relaxed) else { return }
    wake()
  }

  /// Wakes the thread.
  @usableFromInline
  func wake() {
    waker?.wake()
  }

  /// Sleeps until woken or for a time, unless something came in between.
  func sleep(for time: Duration?, unless hasWork: () -> Bool) {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    defer { isAsleep.store(false, ordering: .relaxed) }
    guard !hasWork() else { return }
    nap(for: time)
  }

  /// Sleeps for a time; pushes do not end it.
  func nap(for time: Duration?) {
    guard let waker else { return rest() }
    waker.wait(time)
  }
}
