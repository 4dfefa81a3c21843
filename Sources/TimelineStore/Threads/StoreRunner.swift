/// Runs the store's work in place of its threads, so that the caller decides what happens when.
///
/// Everything must run on one thread, and never inside the call that handed it over.
package protocol StoreRunner: AnyObject, Sendable {
  /// Runs work after everything that was handed over for the same queue.
  func run(on queue: String, _ work: @escaping @Sendable () -> Void)

  /// Runs work after a time.
  func run(on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void)
}
