package import Timelines

/// Codes that the daemon gives to a person, each good once and for a minute.
///
/// Only their hashes are kept, so that reading the daemon's memory later gives nobody a session.
package struct OneTimeCodes: Sendable {
  /// The milliseconds for which a code is good: time to start a browser.
  package static let lifetime: Int64 = 60_000

  /// The codes that may wait at once. A person needs one; the oldest gives way.
  package static let limit = 16

  private struct Code: Sendable {
    var hash: [UInt8]
    var capabilities: [Capability]
    var expires: Int64
  }

  private var codes: [Code] = []

  /// No codes.
  package init() {}

  /// Makes a code good for these capabilities.
  package mutating func issue(_ code: String, for capabilities: [Capability], now: Int64) {
    expire(now: now)
    if codes.count >= Self.limit { codes.removeFirst() }
    codes.append(
      Code(
        hash: SHA256.hash(Array(code.utf8)), capabilities: capabilities,
        expires: now + Self.lifetime))
  }

  /// What a code is good for; it is good for nothing from then on.
  package mutating func redeem(_ code: String, now: Int64) -> [Capability]? {
    expire(now: now)
    let hash = SHA256.hash(Array(code.utf8))
    // Every code is compared, so that the time does not tell which one was near.
    var found: Int?
    for (index, code) in codes.enumerated() where ConstantTime.equal(code.hash, hash) {
      found = index
    }
    return found.map { codes.remove(at: $0).capabilities }
  }

  /// The codes that wait.
  package var count: Int { codes.count }

  private mutating func expire(now: Int64) {
    codes.removeAll { $0.expires <= now }
  }
}
