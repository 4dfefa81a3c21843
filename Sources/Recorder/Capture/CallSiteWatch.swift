import Replaying
import StatesCore
import Synchronization

/// Logs, once, that a call site registers a machine for each event: then the recorder is attached
/// where a closure is built again and again, such as the `body` of a reducer.
@usableFromInline
package final class CallSiteWatch: Sendable {
  /// So many machines in a row that end after one event are no accident.
  static let limit = 3
  /// How many call sites are watched; a program has few.
  static let maximumSites = 256

  private let log: @Sendable (String) -> Void
  private let counts = ForkSafeMutex<[String: Int]>([:])
  private let hasLogged = Atomic<Bool>(false)

  init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  /// A machine went away after so many steps.
  func noteEnd(of name: String, at site: CallSite, steps: Int) {
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
      \(name.debugDescription), each ended after one. To fix, call the recorder once for each \
      store, outside of what is evaluated for each event.
      """)
  }
}
