import Timelines
package import Wire

/// Codes for a person, each valid once and for one minute.
///
/// A code is `<name>.<secret>`. Inspectors send the name and prove that they know the secret, so a
/// program that took over the daemon's port learns nothing from a code meant for the daemon.
package struct OneTimeCodes: Sendable {
  /// The milliseconds for which a code is valid: time to start a browser.
  package static let lifetime: Int64 = 60_000

  /// The maximum number of unused codes. A person needs one; the oldest is dropped.
  package static let limit = 16

  private struct Code: Sendable {
    var name: String
    var secret: String
    var capabilities: [Capability]
    var expires: Int64
  }

  private var codes: [Code] = []
  private var next = 1

  package init() {}

  /// Makes a code with this secret, valid for these capabilities; returns its text.
  package mutating func issue(
    _ secret: String, for capabilities: [Capability], now: Int64
  ) -> String {
    expire(now: now)
    if codes.count >= Self.limit { codes.removeFirst() }
    let name = "c\(next)"
    next &+= 1
    codes.append(
      Code(name: name, secret: secret, capabilities: capabilities, expires: now + Self.lifetime))
    return "\(name).\(secret)"
  }

  /// The secret of a code that is still valid. The code stays valid.
  package func secret(of name: String, now: Int64) -> String? {
    codes.first { $0.name == name && now < $0.expires }?.secret
  }

  /// Uses up a code; returns what it was valid for.
  package mutating func redeem(_ name: String, now: Int64) -> [Capability]? {
    expire(now: now)
    return codes.firstIndex { $0.name == name }.map { codes.remove(at: $0).capabilities }
  }

  /// The number of unused codes.
  package var count: Int { codes.count }

  private mutating func expire(now: Int64) {
    codes.removeAll { $0.expires <= now }
  }
}
