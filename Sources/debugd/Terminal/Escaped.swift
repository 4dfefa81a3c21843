import Timelines

/// Shows text that somebody else wrote, so that no recording can move the cursor, change colours, or
/// read differently from what it is.
enum Escaped {
  /// The text with control and bidirectional characters as escapes.
  static func text(_ text: String) -> String { PlainText.escaping(text) }

  /// The text as one word of a shell's command.
  static func shell(_ text: String) -> String {
    "'"
      + self.text(text).split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }

  /// The text in quotes, cut when it is long.
  static func quoted(_ text: String) -> String {
    let shown = text.count > 80 ? text.prefix(79) + "…" : text[...]
    return "'\(self.text(String(shown)))'"
  }

  /// JSON of the same value, in which no character steers a terminal.
  ///
  /// Valid JSON has the characters beyond ASCII, and U+007F, only in strings, where each has an escape.
  static func json(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F }) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.value >= 0x7F, PlainText.isHostile(scalar) {
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
}
