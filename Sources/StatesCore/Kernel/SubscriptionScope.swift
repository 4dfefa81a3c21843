/// Keeps subscriptions, and cancels them when it goes away.
///
/// The scope may be released on any thread: the observers are not called any more from then on, and
/// their machine forgets them at its next step. Closures of `Subscription(onCancel:)` run on the
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
    for subscription in subscriptions { subscription.cancelFromAnywhere() }
  }

  /// How many subscriptions are still active.
  public var count: Int { subscriptions.count { $0.isActive } }

  /// Keeps a subscription; those that have ended in the meantime are forgotten.
  public func add(_ subscription: Subscription) {
    // Forgetting is amortised: the list is looked through when it would have to grow.
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
