import JSONCore

/// The digits that identify a number in text, with a sign, grouped (`1,234,567`,
/// `4111 1111 1111 1111`, or `(555) 123-4567`), with a decimal point, or with an exponent.
struct NumberDigits {
  /// Shorter numbers occur everywhere by chance.
  static let minimum = 6

  /// The maximum number of separators between two digits.
  private static let separatorLimit = 4

  /// A run of digits in a text, with a few separators between them.
  struct Run {
    /// The digits without separators.
    var digits: [UInt8] = []
    /// The offset of each digit in the text.
    var places: [Int] = []
  }

  /// The digits of a JSON number; `nil` if there are too few.
  ///
  /// Without the zeros at both ends, if enough digits remain, because their number depends on the
  /// notation.
  static func digits(of number: DecimalDigits) -> [UInt8]? {
    if number.significant.count >= minimum { return number.significant }
    return number.count >= minimum ? number.written : nil
  }

  /// The digits of a text that is a number, such as a card's; `nil` for other texts.
  ///
  /// Without the zeros at both ends, if enough digits remain: as a number, `0171 2345678` has no zero
  /// at the beginning.
  static func digits(ofText text: [UInt8]) -> [UInt8]? {
    guard text.count <= 64, let run = runs(in: text).first, let first = run.places.first,
      let last = run.places.last, last == text.count - 1,
      text[..<first].allSatisfy({ "+-(".utf8.contains($0) })
    else { return nil }
    let significant = trimmed(run.digits)
    if significant.count >= minimum { return significant }
    let leading = run.digits.drop { $0 == UInt8(ascii: "0") }
    return leading.count >= minimum ? Array(leading) : run.digits
  }

  /// The digits without the zeros at both ends.
  private static func trimmed(_ digits: [UInt8]) -> [UInt8] {
    let leading = digits.drop { $0 == UInt8(ascii: "0") }
    return Array(leading.dropLast(leading.reversed().prefix { $0 == UInt8(ascii: "0") }.count))
  }

  /// The runs of six digits or more in a text.
  static func runs(in text: [UInt8]) -> [Run] {
    var runs: [Run] = []
    var run = Run()
    var index = 0
    while index < text.count {
      if DecimalDigits.isDigit(text[index]) {
        run.digits.append(text[index])
        run.places.append(index)
        index += 1
        continue
      }
      if !run.places.isEmpty {
        if let next = endOfSeparators(in: text, at: index) {
          index = next
          continue
        }
        if run.digits.count >= minimum { runs.append(run) }
        run = Run()
      }
      index += 1
    }
    if run.digits.count >= minimum { runs.append(run) }
    return runs
  }

  /// The offset of the digit after a few separators; `nil` if there is none.
  private static func endOfSeparators(in text: [UInt8], at start: Int) -> Int? {
    var index = start
    for _ in 0..<separatorLimit where index < text.count {
      let width = separatorWidth(in: text, at: index)
      guard width > 0 else { return nil }
      index += width
      if index < text.count, DecimalDigits.isDigit(text[index]) { return index }
    }
    return nil
  }

  /// The length of a separator that groups digits; 0 if there is none.
  private static func separatorWidth(in text: [UInt8], at index: Int) -> Int {
    switch text[index] {
    case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "'"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "("),
      UInt8(ascii: ")"):
      return 1
    case 0xC2:
      // No-break space.
      return index + 1 < text.count && text[index + 1] == 0xA0 ? 2 : 0
    case 0xE2:
      // Thin space, right quotation mark, narrow no-break space.
      guard index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
      return [0x89, 0x99, 0xAF].contains(text[index + 2]) ? 3 : 0
    default: return 0
    }
  }
}
