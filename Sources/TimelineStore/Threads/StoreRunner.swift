/// Runs the store's work instead of its threads, so that the caller controls the order.
///
/// Everything must run on one thread, and never inside the call that submitted it.
package protocol StoreRunner: AnyObject, Sendable {
  /// Runs work after everything submitted to the same queue before.
  func run(on queue: String, _ work: @escaping @Sendable () -> Void)

  func run(on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void)
}
