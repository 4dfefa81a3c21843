/// A hash of the text of a JSON value that does not depend on the order of members.
///
/// It takes a fraction of the time of `JSON.fingerprint`: it reads eight bytes at a time, and sorts
/// nothing. Two texts of equal values are equal in it if both spell numbers and strings canonically,
/// as this module's encoders do. It is not stored, and may change with a version.
package struct TextFingerprint {
  private let text: [UInt8]
  private var index = 0

  /// Deeper values are hashed as they are written; no encoder here writes them.
  private static let depthLimit = 1_000

  /// The hash of a value's text.
  package static func of(_ text: [UInt8]) -> UInt64 {
    var hash = TextFingerprint(text: text)
    return hash.value(0)
  }

  private var byte: UInt8 { index < text.count ? text[index] : 0 }

  private mutating func value(_ depth: Int) -> UInt64 {
    guard depth < Self.depthLimit else { return rest() }
    switch byte {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "\""): return string()
    default: return scalar()
    }
  }

  private mutating func object(_ depth: Int) -> UInt64 {
    index += 1
    var sum: UInt64 = 1
    while index < text.count, byte != UInt8(ascii: "}") {
      let before = index
      let key = string()
      index += 1
      sum &+= Self.mix(key ^ 0x9E37_79B9_7F4A_7C15, value(depth + 1))
      if byte == UInt8(ascii: ",") { index += 1 }
      // Only text that is not JSON makes no progress.
      if index <= before + 1 { return rest() }
    }
    index += 1
    return Self.mix(sum, 0xD6E8_FEB8_6659_FD93)
  }

  private mutating func array(_ depth: Int) -> UInt64 {
    index += 1
    var hash: UInt64 = 0xA076_1D64_78BD_642F
    while index < text.count, byte != UInt8(ascii: "]") {
      let before = index
      hash = Self.mix(hash, value(depth + 1))
      if byte == UInt8(ascii: ",") { index += 1 }
      if index == before { return rest() }
    }
    index += 1
    return Self.mix(hash, 0xE703_7ED1_A0B4_28DB)
  }

  private mutating func string() -> UInt64 {
    let start = index
    index += 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, text.count)
    return bytes(start..<index)
  }

  private mutating func scalar() -> UInt64 {
    let start = index
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return bytes(start..<index)
      default: index += 1
      }
    }
    return bytes(start..<index)
  }

  private mutating func rest() -> UInt64 {
    let start = min(index, text.count)
    index = text.count
    return bytes(start..<index)
  }

  private func bytes(_ range: Range<Int>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: range.count) ^ 0x8EBC_6AF0_9C88_C6E3
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      var word: UInt64 = 0
      for offset in 0..<8 { word |= UInt64(text[place + offset]) << UInt64(offset * 8) }
      hash = Self.mix(hash ^ word, 0x5899_65CC_7537_4CC3)
      place += 8
    }
    var last: UInt64 = 0
    while place < range.upperBound {
      last = last << 8 | UInt64(text[place])
      place += 1
    }
    return Self.mix(hash ^ last, 0x1D8E_4E27_C47D_124F)
  }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = (left ^ 0x2D35_8DCC_AA6C_78A5)
      .multipliedFullWidth(by: right ^ 0x8BB8_4B93_962E_ACC9)
    return high ^ low
  }
}
