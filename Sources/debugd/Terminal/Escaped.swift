/// Shows text that somebody else wrote: control and bidirectional characters as escapes, so that no
/// recording can move the cursor, change colours, or read differently from what it is.
enum Escaped {
  /// The text with such characters spelled out.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        result.append(contentsOf: spelled(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text in quotes, cut when it is long.
  static func quoted(_ text: String) -> String {
    let shown = text.count > 80 ? text.prefix(79) + "…" : text[...]
    return "'\(self.text(String(shown)))'"
  }

  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  /// Control characters, line and paragraph separators, and all that turns the reading direction or
  /// hides: the same that a source file may not hold.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
