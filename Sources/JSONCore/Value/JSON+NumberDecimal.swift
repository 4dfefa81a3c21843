extension JSON.Number {
  /// A sign, significant digits and the power of ten of the last one.
  struct Decimal: Hashable, Sendable {
    var isNegative = false

    /// ASCII digits, without a zero at either end; empty for zero.
    var digits = ""

    var exponent = 0

    /// The power of ten just above the number: `0.05` has -1, `5` has 1.
    var point: Int { digits.utf8.count + exponent }
  }

  var decimal: Decimal {
    if case .decimal(let decimal) = form { return decimal }
    var text = text
    return text.withUTF8 { Decimal(validated: $0) } ?? Decimal()
  }
}

extension JSON.Number.Decimal: Comparable {
  /// Whether the first is less; minus zero is less than zero.
  static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
  }

  private func isSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return !other.digits.isEmpty && digits.isEmpty }
    if point != other.point { return point < other.point }
    // With the decimal points aligned, the digits compare like words.
    return digits.precedesByBytes(other.digits)
  }
}

extension JSON.Number.Decimal {
  /// The nearest double; infinite or zero if the number is out of range.
  var double: Double {
    // Clamping the exponent is safe: beyond a few thousand it alone decides the result.
    let text = (isNegative ? "-0." : "0.") + digits + "e" + String(max(-9_999, min(9_999, point)))
    return Double(text) ?? (point > 0 ? (isNegative ? -.infinity : .infinity) : 0)
  }

  /// Reads bytes that match the grammar; `nil` if the exponent is beyond a billion.
  ///
  /// Safe: reads stay inside the buffer, which the caller lends for the duration of the call.
  init?(validated bytes: UnsafeBufferPointer<UInt8>) {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count)
    var written = 0
    var afterPoint = 0
    var sawPoint = false
    var index = 0
    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    scan: while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        index += 1
        break scan
      case let digit:
        if sawPoint { afterPoint += 1 }
        if digit != UInt8(ascii: "0") || !digits.isEmpty { digits.append(digit) }
      }
      index += 1
    }
    let isSmall = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if index < bytes.count, isSmall || bytes[index] == UInt8(ascii: "+") { index += 1 }
    while index < bytes.count {
      written = min(written * 10 + Int(bytes[index] & 0xF), 10_000_000_000)
      index += 1
    }
    var zeros = 0
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      zeros += 1
    }
    if digits.isEmpty { return }
    guard written <= 1_000_000_000 else { return nil }
    exponent = (isSmall ? -written : written) - afterPoint + zeros
    self.digits = String(decoding: digits, as: UTF8.self)
  }
}
