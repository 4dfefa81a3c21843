/// When a lost or refused connection is tried again.
package struct RetryPolicy: Hashable, Sendable {
  /// The first wait. Default: 100 ms.
  package var first: Duration = .milliseconds(100)

  /// The longest wait; each is twice the one before. A daemon that is started later is found within
  /// this time. Default: 5 s.
  package var longest: Duration = .seconds(5)

  /// The wait after a refusal that will not change by itself: a wrong secret, another version.
  /// Default: 60 s.
  package var afterRefusal: Duration = .seconds(60)

  /// How long a connection must have been accepted for the waits to begin anew. Default: 5 s.
  package var stable: Duration = .seconds(5)

  /// The time for connecting and for each answer until `welcome`. Default: 10 s.
  package var answer: Duration = .seconds(10)

  /// The default policy.
  package init() {}

  /// The wait before an attempt, the first being 1; `chance` from 0 to 1 spreads it over its upper
  /// half, so that many apps do not come back at once.
  func wait(before attempt: Int, chance: Double) -> Duration {
    let whole = min(longest, first * Double(1 << min(max(0, attempt - 1), 20)))
    return whole * (0.5 + 0.5 * min(1, max(0, chance)))
  }
}
