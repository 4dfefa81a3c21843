import JSONCore

extension JSON.Number {
  /// Whether this number is less than, equal to or greater than the other by its exact decimal
  /// value: -1, 0 or 1. Zero and minus zero are equal here.
  func compareExactly(_ other: JSON.Number) -> Int {
    if self == other { return 0 }
    if let left = int, let right = other.int { return left < right ? -1 : 1 }
    let (left, right) = (double, other.double)
    // Rounding keeps the order, so doubles that differ decide; equal ones leave it to the digits.
    if left != right { return left < right ? -1 : 1 }
    return Digits(text).compare(Digits(other.text))
  }

  /// The significant digits of a number and where its point stands.
  private struct Digits {
    var isNegative = false
    var digits: [UInt8] = []
    /// The value is 0.ddd… times ten to this power.
    var power = 0

    init(_ text: String) {
      let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x65 || $0 == 0x45 }
      var sawPoint = false
      for byte in parts[0] {
        switch byte {
        case UInt8(ascii: "-"): isNegative = true
        case UInt8(ascii: "."): sawPoint = true
        case UInt8(ascii: "0") where digits.isEmpty: if sawPoint { power -= 1 }
        default:
          digits.append(byte)
          if !sawPoint { power += 1 }
        }
      }
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if parts.count > 1 { power += Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 }
    }

    func compare(_ other: Digits) -> Int {
      if digits.isEmpty || other.digits.isEmpty {
        if digits.isEmpty, other.digits.isEmpty { return 0 }
        let isLess = digits.isEmpty ? !other.isNegative : isNegative
        return isLess ? -1 : 1
      }
      if isNegative != other.isNegative { return isNegative ? -1 : 1 }
      let order: Int
      if power != other.power {
        order = power < other.power ? -1 : 1
      } else if digits == other.digits {
        order = 0
      } else {
        order = digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
      }
      return isNegative ? -order : order
    }
  }
}

extension JSON {
  /// Whether both mean the same to a predicate: as `==`, but zero and minus zero are one.
  func meansSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): return left.compareExactly(right) == 0
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.meansSame(as: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.meansSame(as: $0) } ?? false }
    default: return self == other
    }
  }
}
