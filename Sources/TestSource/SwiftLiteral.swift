/// Swift source for a value that was recorded, and so is hostile until escaped.
public enum SwiftLiteral {
  /// A string literal that the compiler reads back as exactly `text`.
  ///
  /// Everything outside printable ASCII is written as a Unicode escape, so that no recorded text
  /// can end the literal, start an interpolation or reorder what a reader sees.
  public static func string(_ text: String) -> String {
    var source = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": source += "\\\(scalar)"
      case "\n": source += "\\n"
      case "\t": source += "\\t"
      case "\r": source += "\\r"
      case " "..."~": source.unicodeScalars.append(scalar)
      default: source += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return source + "\""
  }
}
