/// When to retry a lost or refused connection.
package struct RetryPolicy: Hashable, Sendable {
  /// The first delay. Default: 100 ms.
  package var first: Duration = .milliseconds(100)

  /// The longest delay; each is twice the one before. A daemon that is started later is found
  /// within this time. Default: 5 s.
  package var longest: Duration = .seconds(5)

  /// The delay after a refusal that will not change by itself: a wrong secret, another version.
  /// Default: 60 s.
  package var afterRefusal: Duration = .seconds(60)

  /// How long a connection must last for the delays to start over. Default: 5 s.
  package var stable: Duration = .seconds(5)

  /// The time limit for connecting, and for each answer until `welcome`. Default: 10 s.
  package var answer: Duration = .seconds(10)

  package init() {}

  /// Returns the delay before an attempt, starting at 1. `chance`, from 0 to 1, spreads it over its
  /// upper half, so that many apps do not reconnect at the same moment.
  func wait(before attempt: Int, chance: Double) -> Duration {
    let whole = min(longest, first * Double(1 << min(max(0, attempt - 1), 20)))
    return whole * (0.5 + 0.5 * min(1, max(0, chance)))
  }
}
