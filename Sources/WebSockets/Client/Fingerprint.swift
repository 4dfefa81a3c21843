internal import CLibWebsockets

/// SHA-256 of a certificate as it is sent, in lower-case hexadecimal digits.
enum Fingerprint {
  /// Without colons and in lower case.
  static func normalised(_ text: String) -> String {
    text.lowercased().filter { $0 != ":" && $0 != " " }
  }

  /// That of the other end's certificate; `nil` when there is none.
  static func ofPeer(_ wire: Wire) -> String? {
    var digest = [UInt8](repeating: 0, count: 32)
    // Safe: the shim writes the 32 bytes that the array has.
    guard shim_peer_fingerprint(wire.pointer, &digest) != 0 else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether two texts are equal, in a time that does not tell where they differ.
  static func matches(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count, one.count == 64 else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
