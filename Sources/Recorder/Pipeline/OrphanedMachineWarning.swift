import Synchronization

/// Warns once if machines keep handling events after their recorder was released. Otherwise the
/// developer would look for these events in vain.
///
/// A recorder that was closed does not warn.
@usableFromInline
package final class OrphanedMachineWarning: Sendable {
  private let app: String
  private let log: @Sendable (String) -> Void
  private let isArmed = Atomic<Bool>(false)

  init(app: String, log: @escaping @Sendable (String) -> Void) {
    self.app = app
    self.log = log
  }

  /// Enables the warning: the recorder is released without having been closed.
  func arm() { isArmed.store(true, ordering: .relaxed) }

  /// Disables the warning: the recorder was closed.
  func disarm() { isArmed.store(false, ordering: .relaxed) }

  /// Logs the warning if it is enabled: an event was dropped.
  func eventWasDropped() {
    guard isArmed.load(ordering: .relaxed), isArmed.exchange(false, ordering: .relaxed) else {
      return
    }
    log(
      """
      The recorder of \(app) was released while its machines are still in use, so their events are \
      not recorded. To fix, keep the StateRecorder as long as the machines, or close it.
      """)
  }
}
