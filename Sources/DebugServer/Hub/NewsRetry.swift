/// When to repeat a query for news that failed.
///
/// A temporary disk error must not leave an inspector behind until the next entry, which may never
/// come. Damage is permanent, so the attempts become rare.
package struct NewsRetry: Sendable {
  private static let shortest: Int64 = 1_000
  private static let longest: Int64 = 60_000

  private var delay: Int64 = 0

  /// The time of the next attempt.
  private(set) var notBefore: Int64 = 0

  init() {}

  mutating func succeed() { self = NewsRetry() }

  mutating func fail(now: Int64) {
    delay = min(max(delay * 2, Self.shortest), Self.longest)
    notBefore = now + delay
  }
}
