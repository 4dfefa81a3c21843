/// Stores subscriptions, and cancels them when it is released.
///
/// You can release the scope on any thread: from then on the observers are no longer called, and
/// their machine removes them at its next step. Closures of `Subscription(onCancel:)` run on the
/// thread that releases the scope.
///
/// ```swift
/// final class Screen {
///   private let subscriptions = SubscriptionScope()
///   init(_ form: StateForm<Int, Never>) {
///     form.subscribe { print("rendering", $0) }.store(in: subscriptions)
///   }
/// }
/// ```
public final class SubscriptionScope {
  private var subscriptions: [Subscription] = []

  /// Makes an empty scope.
  public init() {}

  deinit {
    for subscription in subscriptions { subscription.cancelFromAnyThread() }
  }

  /// How many subscriptions are still active.
  public var count: Int { subscriptions.count { $0.isActive } }

  /// Stores a subscription, and removes those that have ended.
  public func add(_ subscription: Subscription) {
    // Removal is amortized: the list is scanned only when it would have to grow.
    if subscriptions.count == subscriptions.capacity {
      subscriptions.removeAll { !$0.isActive }
    }
    subscriptions.append(subscription)
  }

  /// Cancels all subscriptions now; the scope can be used again.
  public func cancelAll() {
    let ending = subscriptions
    subscriptions = []
    for subscription in ending { subscription.cancel() }
  }
}
