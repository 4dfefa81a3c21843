extension SHA256 {
  /// HMAC-SHA-256 (RFC 2104) of a message.
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > blockBytes ? hash(key) : key
    key += Array(repeating: 0, count: blockBytes - key.count)
    let inner = hash(key.map { $0 ^ 0x36 } + message)
    return hash(key.map { $0 ^ 0x5C } + inner)
  }

  /// Bytes as lowercase hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
