import Timelines

/// The random key of the hashes that show equality. It never leaves the process.
///
/// Swift's own hashing is not suitable: an environment variable can fix its seed, and with a known
/// seed, a short secret can be found by brute force.
struct RedactionKey: Sendable {
  private let bytes: [UInt8]

  static let process = RedactionKey()

  /// Creates a random key of 256 bits.
  init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// 64 bits of the keyed hash of a message, in hexadecimal digits.
  func hash(_ message: [UInt8]) -> String {
    SHA256.hexadecimal(Array(SHA256.authenticationCode(of: message, key: bytes).prefix(8)))
  }
}
