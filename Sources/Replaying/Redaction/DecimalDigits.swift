/// A number as its significant digits and a power of ten: `1.5e-7` is `15` and -8.
struct DecimalDigits {
  /// Without zeros at both ends; not empty.
  let significant: [UInt8]
  /// The exponent of the last significant digit.
  let exponent: Int

  /// The digits of a number as JSON and Swift write it; `nil` for zero and for other texts.
  ///
  /// A sign is ignored.
  init?(_ text: some Collection<UInt8>) {
    let mark = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = text[..<(mark ?? text.endIndex)]
    let digits = mantissa.filter(Self.isDigit)
    let leading = digits.drop { $0 == UInt8(ascii: "0") }
    let zeros = leading.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    guard let power = Self.power(text, after: mark), leading.count > zeros else { return nil }
    let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.count(where: Self.isDigit)
    significant = Array(leading.dropLast(zeros))
    exponent = power - fraction + zeros
  }

  /// The power after the mark; `nil` if it is beyond that of every number that programs write.
  private static func power<Text: Collection<UInt8>>(_ text: Text, after mark: Text.Index?) -> Int?
  {
    guard let mark else { return 0 }
    guard let power = Int(String(decoding: text[mark...].dropFirst(), as: UTF8.self)),
      (-9_999...9_999).contains(power)
    else { return nil }
    return power
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// Equal for equal numbers.
  var key: [UInt8] { significant + Array("e\(exponent)".utf8) }

  /// How many digits the number has when it is written without an exponent, with one before the point.
  var count: Int {
    exponent >= 0 ? significant.count + exponent : max(significant.count, 1 - exponent)
  }

  /// The digits of the number when it is written without an exponent; `nil` if it never is, because it
  /// has more digits than any double.
  var written: [UInt8]? {
    guard (-330...308).contains(exponent) else { return nil }
    let zero = UInt8(ascii: "0")
    if exponent >= 0 { return significant + Array(repeating: zero, count: exponent) }
    return Array(repeating: zero, count: count - significant.count) + significant
  }
}

/// A number with an exponent in a text, as programs print very large and very small ones: `1e+21`,
/// `1.5e-07`.
struct ExponentForm {
  /// Its place in the text, without the sign.
  let range: Range<Int>
  let digits: DecimalDigits

  /// The numbers with exponents in a text.
  static func all(in text: [UInt8]) -> [ExponentForm] {
    text.indices.compactMap { index in
      text[index] | 0x20 == UInt8(ascii: "e") ? ExponentForm(around: index, in: text) : nil
    }
  }

  private init?(around mark: Int, in text: [UInt8]) {
    var end = mark + 1
    if end < text.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(text[end]) { end += 1 }
    let digits = text[end...].prefix(while: DecimalDigits.isDigit)
    var start = Self.start(ofDigitsBefore: mark, in: text)
    guard !digits.isEmpty, start < mark else { return nil }
    if start > 0, text[start - 1] == UInt8(ascii: ".") {
      let whole = Self.start(ofDigitsBefore: start - 1, in: text)
      if whole < start - 1 { start = whole }
    }
    range = start..<digits.endIndex
    guard let value = DecimalDigits(text[range]) else { return nil }
    self.digits = value
  }

  private static func start(ofDigitsBefore end: Int, in text: [UInt8]) -> Int {
    text[..<end].lastIndex { !DecimalDigits.isDigit($0) }.map { $0 + 1 } ?? 0
  }
}
