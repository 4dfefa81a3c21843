internal import JSONCore

/// What is known of the values at a path, without keeping them.
struct ValueSummary: Sendable {
  private(set) var count = 0
  /// The value, as long as it is always the same.
  private(set) var only: JSON?
  private(set) var isConstant = true
  /// The different values, while there are few.
  private(set) var distinct: [JSON]? = []
  private(set) var hasNull = false
  /// Whether there was a text, or only numbers and `null`.
  private(set) var hasText = false
  /// Whether every value is a number, and their limits.
  private(set) var isNumeric = true
  private(set) var least: JSON.Number?
  private(set) var most: JSON.Number?
  private(set) var neverFalls = true
  private(set) var hasRisen = false
  private var last: JSON.Number?

  /// The maximum number of different texts of a subset.
  static let distinctLimit = 4

  /// A value of another recording follows.
  mutating func begin() { last = nil }

  mutating func add(_ value: JSON) {
    count += 1
    if count == 1 { only = value } else if only != value { isConstant = false }
    if let known = distinct, !known.contains(value) {
      distinct = known.count < Self.distinctLimit ? known + [value] : nil
    }
    if value == .null { hasNull = true }
    if value.string != nil { hasText = true }
    guard case .number(let number) = value else {
      isNumeric = false
      last = nil
      return
    }
    if least.map({ number.double < $0.double }) ?? true { least = number }
    if most.map({ number.double > $0.double }) ?? true { most = number }
    if let last {
      if number.double < last.double { neverFalls = false }
      if number.double > last.double { hasRisen = true }
    }
    last = number
  }

  /// Whether it can identify something: a text, or a number that is sometimes absent.
  var isIdentifying: Bool { hasText || hasNull }

  /// Whether it varies enough that agreeing with another value means something.
  var varies: Bool { distinct.map { $0.count > 2 } ?? true }
}

/// What is known of two values at the same entries.
struct PairSummary: Sendable {
  private(set) var count = 0
  private(set) var areEqual = true
  private(set) var neverMore = true
  private(set) var neverLess = true

  mutating func add(_ left: JSON, _ right: JSON) {
    count += 1
    if left != right { areEqual = false }
    guard case .number(let left) = left, case .number(let right) = right else {
      (neverMore, neverLess) = (false, false)
      return
    }
    if left.double > right.double { neverMore = false }
    if left.double < right.double { neverLess = false }
  }

  /// Whether nothing is left that more values could break.
  var isOver: Bool { !areEqual && !neverMore && !neverLess }
}
