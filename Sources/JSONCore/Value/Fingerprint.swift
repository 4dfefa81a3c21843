extension JSON {
  /// A 64-bit hash of the value, the same in every process, on every platform and in the browser.
  ///
  /// It is FNV-1a over the UTF-8 of the value's canonical text, which has
  /// - no white space;
  /// - the members of each object sorted by the UTF-8 of their keys (the order of code points, not
  ///   of UTF-16 units);
  /// - numbers as ECMAScript spells them, except that minus zero is `-0`: `Number.text`;
  /// - in strings the escapes `\"`, `\\`, `\b`, `\t`, `\n`, `\f`, `\r`, for other bytes below 0x20
  ///   `\u00` with two lowercase digits, and every other character as itself.
  ///
  /// Begin with `h = 0xCBF29CE484222325`; for each byte `h = ((h XOR byte) * 0x100000001B3) mod
  /// 2^64`. With two 32-bit halves the multiplication is `h * 0x1B3 + (h << 40)`.
  ///
  /// Equal values have equal fingerprints. Different values almost never do, unless they were
  /// crafted to collide: a fingerprint does not protect against forgery.
  public var fingerprint: UInt64 {
    var hash = FingerprintHash()
    hash.feed(self)
    return hash.value
  }
}

extension JSONSlice {
  /// The fingerprint of the value.
  public var fingerprint: UInt64 { value.fingerprint }
}

/// FNV-1a over the text with sorted keys.
private struct FingerprintHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func feed(_ json: JSON) {
    switch json {
    case .null: feed(ascii: "null")
    case .bool(let bool): feed(ascii: bool ? "true" : "false")
    case .number(let number): feed(raw: number.text)
    case .string(let string): feed(quoted: string)
    case .array(let array):
      feed(UInt8(ascii: "["))
      var isFirst = true
      for element in array {
        if !isFirst { feed(UInt8(ascii: ",")) }
        isFirst = false
        feed(element)
      }
      feed(UInt8(ascii: "]"))
    case .object(let object):
      feed(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in object.sorted(by: { $0.key.precedesByBytes($1.key) }) {
        if !isFirst { feed(UInt8(ascii: ",")) }
        isFirst = false
        feed(quoted: key)
        feed(UInt8(ascii: ":"))
        feed(value)
      }
      feed(UInt8(ascii: "}"))
    }
  }

  @inline(__always)
  private mutating func feed(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  private mutating func feed(ascii text: StaticString) {
    text.withUTF8Buffer { for byte in $0 { feed(byte) } }
  }

  private mutating func feed(raw text: String) {
    for byte in text.utf8 { feed(byte) }
  }

  private mutating func feed(quoted text: String) {
    feed(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): feed(ascii: "\\\"")
      case UInt8(ascii: "\\"): feed(ascii: "\\\\")
      case 0x08: feed(ascii: "\\b")
      case 0x09: feed(ascii: "\\t")
      case 0x0A: feed(ascii: "\\n")
      case 0x0C: feed(ascii: "\\f")
      case 0x0D: feed(ascii: "\\r")
      case 0..<0x20:
        feed(ascii: "\\u00")
        feed(Self.digit(byte >> 4))
        feed(Self.digit(byte & 0xF))
      default: feed(byte)
      }
    }
    feed(UInt8(ascii: "\""))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
}
