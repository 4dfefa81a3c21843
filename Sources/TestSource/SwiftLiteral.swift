/// Swift source for recorded values, which are untrusted until escaped.
public enum SwiftLiteral {
  /// Returns a string literal that the compiler reads back as exactly `text`.
  ///
  /// Everything outside printable ASCII becomes a Unicode escape, so that recorded text cannot end
  /// the literal, start an interpolation, or change the displayed order of the source.
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
