extension SwiftLiteral {
  /// A string literal that needs no escapes where that is safe: `#"event == "removed""#`.
  ///
  /// A raw literal is used for printable ASCII that holds nothing that ends one or interpolates, and
  /// that does not open a literal of several lines.
  static func readable(_ text: String) -> String {
    let isPrintable = text.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
    let needsEscapes = text.contains { $0 == "\"" || $0 == "\\" }
    let isSafe = !text.hasPrefix("\"") && !text.contains("\"#") && !text.contains("\\#")
    return isPrintable && needsEscapes && isSafe ? "#\"\(text)\"#" : string(text)
  }
}
