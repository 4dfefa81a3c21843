/// Which certificate of a daemon is taken over `wss://`.
///
/// ```swift
/// var daemon = DaemonDestination(address: "wss://build.example:8765", secretPath: "/run/secret")
/// daemon.trust = .fingerprint(
///   "9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:82:2C:D1:5D:6C:15:B0:F0:0A:08")
/// ```
public enum DaemonTrust: Hashable, Sendable {
  /// One for the address's host, from an authority that the system trusts.
  case system
  /// One for the address's host, from an authority in that file, as PEM. On Linux.
  case authority(path: String)
  /// The one with that SHA-256 fingerprint, 64 hexadecimal digits, colons allowed; neither its name
  /// nor its authority matters. On Linux.
  case fingerprint(String)

  /// What is wrong with it; nil when nothing is.
  var problem: String? {
    guard case .fingerprint(let text) = self else { return nil }
    let digits = text.filter { $0 != ":" }
    guard digits.utf8.count != 64 || !digits.allSatisfy(\.isHexDigit) else { return nil }
    return "The fingerprint of a certificate has 64 hexadecimal digits, and \(text) has not."
  }
}
