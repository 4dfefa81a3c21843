/// The name of a timeline: a UUID.
///
/// It is compared by value, so letter case does not matter. It is written in lowercase.
public struct TimelineID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Parses the form `8-4-4-4-12` of hexadecimal digits; `nil` for other text.
  public init?(_ text: String) {
    var digits: (UInt64, UInt64) = (0, 0)
    var count = 0
    for (offset, byte) in text.utf8.enumerated() {
      if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      guard count < 32 else { return nil }
      if count < 16 {
        digits.0 = digits.0 << 4 | UInt64(digit)
      } else {
        digits.1 = digits.1 << 4 | UInt64(digit)
      }
      count += 1
    }
    guard count == 32, text.utf8.count == 36 else { return nil }
    (high, low) = digits
  }

  /// A new random name (version 4).
  public static func random(using generator: inout some RandomNumberGenerator) -> TimelineID {
    let high: UInt64 = generator.next()
    let low: UInt64 = generator.next()
    return TimelineID(
      high: high & ~0xF000 | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// A new random name (version 4) from the system's generator.
  public static func random() -> TimelineID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The form `8-4-4-4-12` in lowercase.
  public var text: String {
    func hex(_ value: UInt64, digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: digits - text.utf8.count) + text
    }
    return [
      hex(high >> 32, digits: 8), hex(high >> 16 & 0xFFFF, digits: 4),
      hex(high & 0xFFFF, digits: 4), hex(low >> 48, digits: 4),
      hex(low & 0xFFFF_FFFF_FFFF, digits: 12),
    ].joined(separator: "-")
  }
}

extension TimelineID: CustomStringConvertible {
  /// The form `8-4-4-4-12` in lowercase.
  public var description: String { text }
}
