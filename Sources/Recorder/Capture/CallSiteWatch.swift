import Replaying
import StatesCore
import Synchronization

/// Logs once when a call site registers a machine for each event: then the recorder is called where
/// a closure is built repeatedly, such as in the `body` of a reducer.
@usableFromInline
package final class CallSiteWatch: Sendable {
  /// This many machines in a row that end after one event are not a coincidence.
  static let limit = 3
  /// The number of watched call sites. A program has few.
  static let maximumSites = 256

  private let log: @Sendable (String) -> Void
  private let counts = ForkSafeMutex<[String: Int]>([:])
  private let hasLogged = Atomic<Bool>(false)

  init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  /// Records that a machine ended after some number of steps.
  func recordEnd(of name: String, at site: CallSite, steps: Int) {
    guard !hasLogged.load(ordering: .relaxed) else { return }
    let key = site.description
    let isSuspicious = counts.withLock { counts in
      guard steps == 1 else {
        counts[key] = nil
        return false
      }
      guard counts[key] != nil || counts.count < Self.maximumSites else { return false }
      counts[key, default: 0] += 1
      return counts[key] == Self.limit
    }
    guard isSuspicious, !hasLogged.exchange(true, ordering: .relaxed) else { return }
    log(
      """
      \(site) records a machine for each event: the last \(Self.limit), up to \
      \(name.debugDescription), each ended after one event. To fix, call the recorder once for each \
      store, outside the code that runs for each event.
      """)
  }
}
