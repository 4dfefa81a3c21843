import Timelines

extension ProofText {
  /// The proof for a text: HMAC-SHA-256 (RFC 2104) with the secret as key, in lowercase
  /// hexadecimal digits.
  package static func proof(of text: String, secret: [UInt8]) -> String {
    SHA256.hexadecimal(SHA256.authenticationCode(of: Array(text.utf8), key: secret))
  }

  /// Whether a received proof equals the expected one.
  ///
  /// It takes the same time wherever the two differ; only the length, which is not secret, ends it
  /// early.
  package static func isSame(_ proof: String, as expected: String) -> Bool {
    let (proof, expected) = (Array(proof.utf8), Array(expected.utf8))
    guard proof.count == expected.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(proof, expected) { difference |= left ^ right }
    return difference == 0
  }

  /// A nonce of 32 random bytes in lowercase hexadecimal digits.
  package static func nonce(using generator: inout some RandomNumberGenerator) -> String {
    SHA256.hexadecimal((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
