extension SwiftLiteral {
  /// A string literal without escapes, where that is safe: `#"event == "removed""#`.
  ///
  /// Uses a raw literal for printable ASCII that cannot end the literal, interpolate, or begin a
  /// multiline literal.
  static func readable(_ text: String) -> String {
    let isPrintable = text.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
    let needsEscapes = text.contains { $0 == "\"" || $0 == "\\" }
    let isSafe = !text.hasPrefix("\"") && !text.contains("\"#") && !text.contains("\\#")
    return isPrintable && needsEscapes && isSafe ? "#\"\(text)\"#" : string(text)
  }
}
