import JSONCore

extension JSON.Number {
  /// Whether this number is less than, equal to or greater than the other by its exact value: -1, 0
  /// or 1. To a predicate zero and minus zero are one number.
  func compare(_ other: JSON.Number) -> Int {
    if self == other || isZero && other.isZero { return 0 }
    return self < other ? -1 : 1
  }

  private var isZero: Bool { double == 0 && (int == 0 || text == "-0") }
}

extension JSON {
  /// Whether both mean the same to a predicate: as `==`, but zero and minus zero are one.
  func meansSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): return left.compare(right) == 0
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.meansSame(as: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.meansSame(as: $0) } ?? false }
    default: return self == other
    }
  }

  /// Equal, as `==` says, for all values that mean the same.
  var meaning: JSON {
    switch self {
    case .number(let number): return number.compare(JSON.Number(Int64(0))) == 0 ? 0 : self
    case .array(let elements): return .array(elements.map(\.meaning))
    case .object(var members):
      for (key, value) in members { members[key] = value.meaning }
      return .object(members)
    case .null, .bool, .string: return self
    }
  }
}
