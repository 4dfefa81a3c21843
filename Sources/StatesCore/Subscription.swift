/// A promise to go on calling an observer, until it is cancelled.
public struct Subscription {
  private let onCancel: () -> Void

  /// Makes a subscription that runs `onCancel` when cancelled.
  public init(onCancel: @escaping () -> Void) {
    self.onCancel = onCancel
  }

  /// Ends the subscription.
  public func cancel() {
    onCancel()
  }
}
