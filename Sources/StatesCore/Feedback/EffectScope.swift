import Synchronization

/// The lifetime of one effect: from the state that asked for it to the one that no longer does.
///
/// Events carry the scope they were sent in. One that is taken from the queue after its scope was
/// closed is dropped, whether or not the same request has come back since: that has a new scope.
final class EffectScope: Sendable {
  /// The step whose state started the effect; nil when nobody records, or for a loop's own body.
  let cause: Cause?

  private let begun = Latch()
  private let closed = Latch()
  private let ended = Atomic<Bool>(false)

  init(cause: Cause? = nil) {
    self.cause = cause
  }

  /// Whether events of this effect still count.
  var isOpen: Bool { !closed.isOpen }

  /// Whether the effect came to its own end, so that it has nothing more to say.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// Says that the effect's body is being called.
  func begin() { begun.open() }

  /// Waits until the effect's body was called.
  func waitUntilBegun() async { await begun.wait() }

  /// Says that the effect came to its own end; events it has sent before still count.
  func end() { ended.store(true, ordering: .releasing) }

  /// Ends the lifetime: the effect is cancelled, and its events no longer count.
  func close() { closed.open() }

  /// Runs `body` until it returns, the scope is closed, or the task is cancelled.
  ///
  /// A task group cannot cancel one of its children, so each effect is a group of its own: the work
  /// and a watch; whichever ends first ends the other.
  func run(_ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await body() }
      group.addTask { await self.closed.waitOrCancelled() }
      await group.next()
      group.cancelAll()
    }
    // Whoever waits for the beginning must not wait for ever.
    begin()
  }
}
