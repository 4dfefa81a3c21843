import Synchronization

/// Keeps an observer registered until it is canceled.
///
/// Dropping the value does not cancel it; to get that, store it in a ``SubscriptionScope``.
/// Canceling again, or after the machine is gone, does nothing.
///
/// ```swift
/// let form = StateForm(state: 0)
/// let subscription = form.subscribe { print($0) }
/// subscription.cancel()
/// subscription.cancel()
/// ```
public struct Subscription {
  /// Refers to its machine without keeping it alive, and holds no closure once it has ended.
  private let observation: Observation

  @usableFromInline
  init(_ observation: Observation) {
    self.observation = observation
  }

  /// Makes a subscription to something else: `onCancel` runs once, at the first cancel.
  ///
  /// ```swift
  /// let several = Subscription { print("canceled") }
  /// several.cancel()
  /// ```
  public init(onCancel: @escaping () -> Void) {
    observation = ClosureObservation(onCancel)
  }

  /// Ends the subscription at once, also in the middle of a notification.
  public func cancel() {
    observation.cancel()
  }

  /// Ends the subscription when `scope` goes away.
  ///
  /// ```swift
  /// let scope = SubscriptionScope()
  /// StateForm(state: 0).subscribe { print($0) }.store(in: scope)
  /// ```
  public func store(in scope: SubscriptionScope) {
    scope.add(self)
  }

  /// Whether the observer may still be called.
  public var isActive: Bool { observation.isLive }

  /// Ends the subscription from any thread; the machine removes the observer at its next step.
  func cancelFromAnyThread() {
    observation.cancelFromAnyThread()
  }
}

/// An observer as its subscription sees it: something that can end.
///
/// The flag is atomic because a scope may be released on another thread than the machine's: the
/// deinitializer of a main-actor class runs wherever the last reference is released.
@usableFromInline
package class Observation {
  private let ended = Atomic<Bool>(false)

  init() {}

  @usableFromInline package final var isLive: Bool { !ended.load(ordering: .acquiring) }

  /// Ends it; returns whether it was live before.
  @discardableResult
  package final func end() -> Bool {
    !ended.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Ends it and releases what it holds; only on the machine's own isolation.
  @usableFromInline package func cancel() { end() }

  package func cancelFromAnyThread() { end() }
}

/// The subscription that `Subscription(onCancel:)` makes.
private final class ClosureObservation: Observation {
  private let onCancel: () -> Void

  init(_ onCancel: @escaping () -> Void) {
    self.onCancel = onCancel
  }

  override func cancel() {
    if end() { onCancel() }
  }

  override func cancelFromAnyThread() { cancel() }
}
