import Synchronization

/// Says so when machines go on after their recorder has gone: whoever did not keep it would look for
/// their events in vain.
///
/// A recorder that was closed has said enough.
@usableFromInline
package final class Farewell: Sendable {
  private let app: String
  private let log: @Sendable (String) -> Void
  private let isDue = Atomic<Bool>(false)

  init(app: String, log: @escaping @Sendable (String) -> Void) {
    self.app = app
    self.log = log
  }

  /// The recorder goes away, without having been closed.
  func say() { isDue.store(true, ordering: .relaxed) }

  /// The recorder was closed.
  func cancel() { isDue.store(false, ordering: .relaxed) }

  /// A machine has an event that nobody takes; told in the log, once.
  func noteEvent() {
    guard isDue.load(ordering: .relaxed), isDue.exchange(false, ordering: .relaxed) else { return }
    log(
      """
      The recorder of \(app) has gone while its machines go on: their events are not recorded. \
      To fix, keep the StateRecorder as long as the machines, or close it.
      """)
  }
}
