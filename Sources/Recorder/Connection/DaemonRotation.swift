/// Which of several daemons to connect to next, and when.
///
/// They are tried in turn. One that refused is left out until it is worth another attempt.
struct DaemonRotation: Hashable, Sendable {
  /// The daemon of the current or next attempt.
  private(set) var current = 0
  /// Why each daemon could not be used when it was last tried, as a sentence.
  private(set) var problems: [String?]
  /// When each daemon that refused may be tried again.
  private var refusedUntil: [Duration?]
  private let retry: RetryPolicy
  /// The number of attempts since a connection lasted.
  private var attempts = 0
  /// The number of attempts that failed since a daemon last accepted a connection.
  private var failures = 0

  init(count: Int, retry: RetryPolicy) {
    problems = Array(repeating: nil, count: max(1, count))
    refusedUntil = Array(repeating: nil, count: max(1, count))
    self.retry = retry
  }

  /// Whether each daemon was tried in vain since one last accepted a connection.
  var hasFailedEverywhere: Bool { failures >= problems.count }

  /// Whether a daemon refused when it was last tried.
  func hasRefused(_ daemon: Int) -> Bool {
    refusedUntil.indices.contains(daemon) && refusedUntil[daemon] != nil
  }

  mutating func beginAttempt() { attempts += 1 }

  /// The current daemon accepted the connection.
  mutating func accept() {
    failures = 0
    (problems[current], refusedUntil[current]) = (nil, nil)
  }

  /// The connection that was accepted lasted long enough for the delays to start over.
  mutating func calm() { attempts = 0 }

  /// Returns when to try the same daemon again.
  func retrying(at now: Duration, chance: Double) -> Duration {
    // Each daemon has the delays of a single one, so that it is found as soon.
    let count = problems.count
    let round = (attempts + count - 1) / count
    return now + retry.wait(before: round, chance: chance) / count
  }

  /// The attempt failed, or an accepted connection was lost: the next daemon's turn. Returns when to
  /// try it.
  mutating func fail(
    _ problem: String, wasAccepted: Bool, at now: Duration, chance: Double
  ) -> Duration {
    if !wasAccepted { failures += 1 }
    (problems[current], refusedUntil[current]) = (problem, nil)
    _ = moveOn(at: now)
    return retrying(at: now, chance: chance)
  }

  /// The current daemon refused, and will refuse again until something changes: the next daemon's
  /// turn.
  ///
  /// - Returns: When to try it, and whether all have refused.
  mutating func refuse(
    _ problem: String, at now: Duration, chance: Double
  ) -> (until: Duration, isEverywhere: Bool) {
    failures += 1
    (problems[current], refusedUntil[current]) = (problem, now + retry.afterRefusal)
    if moveOn(at: now) { return (retrying(at: now, chance: chance), false) }
    let earliest = refusedUntil.indices.min {
      refusedUntil[$0] ?? .zero < refusedUntil[$1] ?? .zero
    }
    current = earliest ?? current
    return (refusedUntil[current] ?? now, true)
  }

  /// Selects the next daemon that may be tried, which may be the current one. Returns false if all
  /// must wait.
  private mutating func moveOn(at now: Duration) -> Bool {
    for offset in 1...problems.count {
      let next = (current + offset) % problems.count
      guard refusedUntil[next].map({ $0 > now }) != true else { continue }
      current = next
      return true
    }
    return false
  }
}
