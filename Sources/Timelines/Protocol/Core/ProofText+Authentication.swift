extension ProofText {
  /// The proof for a text: HMAC-SHA-256 (RFC 2104) with the secret as key, in lower-case
  /// hexadecimal digits.
  package static func proof(of text: String, secret: [UInt8]) -> String {
    hexadecimal(authenticationCode(of: Array(text.utf8), key: secret))
  }

  /// HMAC-SHA-256 of a message.
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > SHA256.blockBytes ? SHA256.hash(key) : key
    key += Array(repeating: 0, count: SHA256.blockBytes - key.count)
    let inner = SHA256.hash(key.map { $0 ^ 0x36 } + message)
    return SHA256.hash(key.map { $0 ^ 0x5C } + inner)
  }

  /// Whether a proof that came is the one that was expected.
  ///
  /// It takes the same time wherever the two differ; only the length, which is no secret, ends it
  /// early.
  package static func isSame(_ proof: String, as expected: String) -> Bool {
    let (proof, expected) = (Array(proof.utf8), Array(expected.utf8))
    guard proof.count == expected.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(proof, expected) { difference |= left ^ right }
    return difference == 0
  }

  /// A nonce of 32 random bytes in lower-case hexadecimal digits.
  package static func nonce(using generator: inout some RandomNumberGenerator) -> String {
    hexadecimal((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Bytes in lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
