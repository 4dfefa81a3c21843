/// Random names that cannot be guessed, in lower-case hexadecimal digits.
package enum Token {
  /// The number of random bytes in a secret: 256 bits.
  package static let secretBytes = 32

  /// A name of that many random bytes.
  package static func random(
    bytes count: Int = secretBytes, using generator: inout some RandomNumberGenerator
  ) -> String {
    hex((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// A name of that many random bytes from the system's generator.
  package static func random(bytes count: Int = secretBytes) -> String {
    var generator = SystemRandomNumberGenerator()
    return random(bytes: count, using: &generator)
  }

  package static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of hexadecimal digits; `nil` for anything else.
  package static func bytes(hex text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
