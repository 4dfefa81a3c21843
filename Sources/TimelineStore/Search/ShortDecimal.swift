internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A number of at most eighteen digits without exponent, compared exactly.
struct ShortDecimal: Sendable {
  /// The digits with their sign.
  private let digits: Int64

  /// The number of digits after the decimal point.
  private let places: Int

  /// The number at a place in a text; `nil` if it is not a number, or in another notation.
  @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>, at range: Range<Int>) {
    guard range.count <= 20 else { return nil }
    var index = range.lowerBound
    let isNegative = index < range.upperBound && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var digits: Int64 = 0
    var count = 0
    var point: Int?
    while index < range.upperBound {
      let byte = bytes[index]
      if byte &- UInt8(ascii: "0") <= 9 {
        digits = digits &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        count += 1
      } else if byte == UInt8(ascii: "."), point == nil {
        point = count
      } else {
        return nil
      }
      index += 1
    }
    guard count > 0, count <= 18 else { return nil }
    self.digits = isNegative ? -digits : digits
    places = point.map { count - $0 } ?? 0
  }

  /// A number in a predicate; `nil` if it is not short.
  init?(_ number: JSON.Number) {
    let text = Array(number.text.utf8)
    guard let value = text.withUnsafeBufferPointer({ ShortDecimal($0, at: text.indices) }) else {
      return nil
    }
    self = value
  }

  /// Negative if the other is larger, zero if both are equal; `nil` if that needs more digits than
  /// there are.
  @inline(__always)
  func compare(_ other: ShortDecimal) -> Int? {
    if places == other.places { return digits < other.digits ? -1 : digits == other.digits ? 0 : 1 }
    var (left, right) = (digits, other.digits)
    for _ in 0..<abs(places - other.places) {
      let (value, overflow) = (places < other.places ? left : right)
        .multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      if places < other.places { left = value } else { right = value }
    }
    return left < right ? -1 : left == right ? 0 : 1
  }
}
