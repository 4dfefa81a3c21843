/// Makes untrusted text safe for a terminal or a log.
package enum PlainText {
  /// The text with control, bidirectional, and invisible characters escaped, so that a recorded name cannot move
  /// the cursor or change the direction of a line.
  package static func escaping(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHostile) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHostile(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// JSON of the same value, without characters that control a terminal.
  ///
  /// In valid JSON, non-ASCII characters and U+007F are only in strings, where each has an escape.
  package static func json(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F }) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.value >= 0x7F, isHostile(scalar) {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          result += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
      } else {
        result += scalar.utf8
      }
    }
    return result
  }

  /// Whether a character controls a terminal, changes the direction of text, or cannot be seen: the
  /// categories Cc, Cf, Zl, and Zp, and what Unicode reserves for invisible characters.
  package static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x7F: scalar.value < 0x20
    // Reserved; the tables of a later Unicode may assign them.
    case 0x2065, 0xFFF0...0xFFF8, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
