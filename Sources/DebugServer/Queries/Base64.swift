/// Base64 (RFC 4648).
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var count = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      for shift: UInt32 in [18, 12, 6, 0] { text.append(digits[Int(group >> shift & 63)]) }
      (group, count) = (0, 0)
    }
    if count == 1 {
      text += [digits[Int(group >> 2)], digits[Int(group << 4 & 63)]] + Array("==".utf8)
    } else if count == 2 {
      text += [
        digits[Int(group >> 10)], digits[Int(group >> 4 & 63)], digits[Int(group << 2 & 63)],
      ]
      text += Array("=".utf8)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; `nil` for anything but canonical base64 with its padding.
  static func decode(_ text: String) -> [UInt8]? {
    var rest = Array(text.utf8)[...]
    guard rest.count.isMultiple(of: 4) else { return nil }
    var padding = 0
    while padding < 2, rest.last == UInt8(ascii: "=") {
      rest.removeLast()
      padding += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count / 4 * 3 + 2)
    var (group, bits): (UInt32, UInt32) = (0, 0)
    for digit in rest {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      group = (group << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      group &= (1 << bits) - 1
    }
    // Unused bits must be zero, so that each value has exactly one text.
    return group == 0 && bits < 6 ? bytes : nil
  }
}
