/// Which of a daemon's certificates to accept for `wss://`.
///
/// ```swift
/// var daemon = DaemonDestination(address: "wss://build.example:8765", secretPath: "/run/secret")
/// daemon.trust = .fingerprint(
///   "9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:82:2C:D1:5D:6C:15:B0:F0:0A:08")
/// ```
public enum DaemonTrust: Hashable, Sendable {
  /// A certificate for the address's host, issued by an authority that the system trusts.
  case system
  /// A certificate for the address's host, issued by an authority in this PEM file. Linux only.
  case authority(path: String)
  /// The certificate with this SHA-256 fingerprint: 64 hexadecimal digits, with or without colons.
  /// Neither its name nor its authority is checked. Linux only.
  case fingerprint(String)

  /// Why this value is invalid; nil if it is valid.
  var problem: String? {
    let text: String
    switch self {
    case .system: return nil
    case .authority(let path): return AuthorityFile.problem(path)
    case .fingerprint(let fingerprint): text = fingerprint
    }
    let digits = text.filter { $0 != ":" }
    guard digits.utf8.count != 64 || !digits.allSatisfy(\.isHexDigit) else { return nil }
    return """
      The certificate fingerprint \(text) is invalid. To fix, pass the SHA-256 fingerprint: 64 \
      hexadecimal digits.
      """
  }
}
