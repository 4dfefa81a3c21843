internal import Timelines

/// Keeps spreadsheets from evaluating recorded text (CSV injection).
///
/// A cell that starts with one of the signs is a formula. Where a cell starts depends on the
/// reader: in much of Europe a spreadsheet splits a row at semicolons and then ignores quotes that
/// do not start a cell, so text after any separator counts, too. Readers also skip blanks,
/// invisible characters, and quotes before the sign.
enum CSVGuard {
  /// The text with an apostrophe wherever a cell could start with a formula.
  static func text(_ text: String) -> String {
    guard
      text.unicodeScalars.contains(where: isSign) || text.unicodeScalars.contains(where: isBreak)
    else { return text }
    let scalars = Array(text.unicodeScalars)
    let starts = Set(formulas(in: scalars, startsCell: true).map(\.start))
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if starts.contains(index) { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    // Some readers treat the text after a leading line break as a cell.
    if let first = scalars.first, isBreak(first) { result = "'" + result }
    return result
  }

  /// The same JSON value, with formulas hidden by escapes.
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isSign) else { return text }
    let scalars = Array(text.unicodeScalars)
    let signs = Set(formulas(in: scalars, startsCell: false).map(\.sign))
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if signs.contains(index), !isNumber(in: scalars, at: index) {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The places where a cell may start with a sign.
  private static func formulas(
    in scalars: [Unicode.Scalar], startsCell: Bool
  ) -> [(start: Int, sign: Int)] {
    var found: [(start: Int, sign: Int)] = []
    var start = startsCell ? 0 : nil as Int?
    for (index, scalar) in scalars.enumerated() {
      if isSeparator(scalar) {
        start = index + 1
      } else if let cell = start, isSign(scalar) {
        found.append((cell, index))
        start = nil
      } else if !isSkipped(scalar) {
        start = nil
      }
    }
    return found
  }

  /// Whether a negative JSON number starts there; it needs no guard.
  private static func isNumber(in scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard scalars[index] == "-", index + 1 < scalars.count,
      ("0"..."9").contains(scalars[index + 1])
    else { return false }
    let before = scalars[..<index].last { $0 != " " && $0 != "\t" }
    return before == "," || before == "[" || before == ":"
  }

  /// Signs, including full-width and small forms, which some locales treat as operators.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}",
      "\u{FE63}", "\u{FE6B}", "\u{2212}":
      true
    default: false
    }
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar == "\r" || scalar == "\n"
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "," || scalar == ";" || scalar == "|" || isBreak(scalar)
  }

  private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar.properties.isWhitespace || PlainText.isHostile(scalar)
  }
}
