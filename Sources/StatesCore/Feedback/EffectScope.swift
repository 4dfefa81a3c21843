import Synchronization

/// The lifetime of one effect: from the state that requested it to the one that no longer does.
///
/// Events carry the scope in which they were sent. An event that is dequeued after its scope was
/// closed is dropped, even if the same request has come back since: that one has a new scope.
final class EffectScope: Sendable {
  /// The step whose state started the effect; nil if the run is not recorded, or for a loop's own
  /// body.
  let cause: Cause?

  private let begun = Latch()
  private let closed = Latch()
  private let ended = Atomic<Bool>(false)

  init(cause: Cause? = nil) {
    self.cause = cause
  }

  /// Whether events of this effect are still handled.
  var isOpen: Bool { !closed.isOpen }

  /// Whether the effect completed on its own, after which it may not send events.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// Marks the effect's body as called.
  func begin() { begun.open() }

  /// Waits until the effect's body has been called.
  func waitUntilBegun() async { await begun.wait() }

  /// Marks the effect as completed; events that it sent before are still handled.
  func end() { ended.store(true, ordering: .releasing) }

  /// Ends the lifetime: the effect is canceled, and its events are dropped.
  func close() { closed.open() }

  /// Runs `body` until it returns, the scope is closed, or the task is canceled.
  ///
  /// A task group cannot cancel a single child, so each effect is a group of its own: the body and
  /// a task that waits for the scope to close. Whichever ends first ends the other.
  func run(_ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await body() }
      group.addTask { await self.closed.waitUntilOpenOrCanceled() }
      await group.next()
      group.cancelAll()
    }
    // A caller that waits for the beginning must not wait forever.
    begin()
  }
}
