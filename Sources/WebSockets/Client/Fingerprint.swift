internal import CLibWebsockets

/// The SHA-256 of a DER certificate in lowercase hexadecimal digits.
enum Fingerprint {
  /// The text in lowercase without colons and spaces.
  static func normalized(_ text: String) -> String {
    text.lowercased().filter { $0 != ":" && $0 != " " }
  }

  /// The fingerprint of the peer's certificate; `nil` if it has none.
  static func ofPeer(_ handle: ConnectionHandle) -> String? {
    var digest = [UInt8](repeating: 0, count: 32)
    // Safe: the shim writes 32 bytes, the size of the array.
    guard shim_peer_fingerprint(handle.pointer, &digest) != 0 else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether two texts are equal, in constant time.
  static func matches(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count, one.count == 64 else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
