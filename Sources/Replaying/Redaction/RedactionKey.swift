import Timelines

/// The random key of the hashes that keep equality visible. It never leaves the process.
///
/// Not Swift's own hashing: an environment variable can make its seed known, and whoever knows the
/// seed finds a short secret by trying all.
struct RedactionKey: Sendable {
  private let bytes: [UInt8]

  /// The key of this process.
  static let process = RedactionKey()

  /// A new key of 256 bits from the system's generator.
  init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// 64 bits of the keyed hash of some bytes, in hexadecimal digits.
  func hash(_ message: [UInt8]) -> String {
    ProofText.hexadecimal(Array(ProofText.authenticationCode(of: message, key: bytes).prefix(8)))
  }
}
