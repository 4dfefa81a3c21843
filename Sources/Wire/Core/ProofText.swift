/// The text over which daemon and recorder prove to each other that they know the secret.
///
/// A proof is HMAC-SHA-256 of this text with the secret's bytes as key, in lowercase hexadecimal
/// digits. Each end's text names the end, so that one's proof is never the other's.
package enum ProofText {
  /// The daemon's proof, before the recorder sends any data.
  package static func daemon(recorderNonce: String, daemonNonce: String) -> String {
    "states-debugger/1 daemon \(recorderNonce) \(daemonNonce)"
  }

  /// The recorder's proof.
  package static func recorder(recorderNonce: String, daemonNonce: String) -> String {
    "states-debugger/1 recorder \(recorderNonce) \(daemonNonce)"
  }

  /// Whether it is a nonce: 16 to 32 bytes in lowercase hexadecimal digits.
  package static func isNonce(_ text: String) -> Bool {
    let count = text.utf8.count
    return (32...64).contains(count) && count.isMultiple(of: 2)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
