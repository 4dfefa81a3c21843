import JSONCore

extension PredicateEvaluation {
  mutating func compare(
    _ left: Predicate.Operand, _ comparison: Predicate.Comparison, _ right: Predicate.Operand
  ) -> Answer {
    guard let pair = pair(left, right) else { return .unknown }
    let (left, right) = pair
    switch comparison {
    case .equal: return equal(left, right)
    case .notEqual: return !equal(left, right)
    case .less: return order(left, right) { $0 < 0 }
    case .lessOrEqual: return order(left, right) { $0 <= 0 }
    case .greater: return order(left, right) { $0 > 0 }
    case .greaterOrEqual: return order(left, right) { $0 >= 0 }
    }
  }

  /// Both values; a bare `event` gives its name when the other one is a string.
  private mutating func pair(
    _ left: Predicate.Operand, _ right: Predicate.Operand
  ) -> (FoundValue, FoundValue)? {
    guard let leftValue = value(of: left, besideText: false),
      let rightValue = value(of: right, besideText: false)
    else { return nil }
    let leftIsText = leftValue.view?.kind == .string
    let rightIsText = rightValue.view?.kind == .string
    guard let leftValue = rightIsText ? value(of: left, besideText: true) : leftValue,
      let rightValue = leftIsText ? value(of: right, besideText: true) : rightValue
    else { return nil }
    return (leftValue, rightValue)
  }

  private func equal(_ left: FoundValue, _ right: FoundValue) -> Answer {
    let (leftKind, rightKind) = (left.view?.kind ?? .null, right.view?.kind ?? .null)
    // Stand-ins are of their value's type, so types that differ are known to.
    guard leftKind == rightKind else { return .no }
    guard left.hidden.isEmpty, right.hidden.isEmpty else { return .unknown }
    return Answer((left.view?.tree ?? .null).meansSame(as: right.view?.tree ?? .null))
  }

  /// Only numbers and strings have an order; strings by code points.
  private func order(
    _ left: FoundValue, _ right: FoundValue, _ isRight: (Int) -> Bool
  ) -> Answer {
    if let left = left.view?.number, let right = right.view?.number {
      return Answer(isRight(left.compare(right)))
    }
    if let left = left.view?.string, let right = right.view?.string {
      let order = left.hasSameBytes(as: right) ? 0 : left.precedesByBytes(right) ? -1 : 1
      return Answer(isRight(order))
    }
    return .no
  }

  /// A text in a string, an element in an array, a key in an object.
  mutating func contains(_ left: Predicate.Operand, _ right: Predicate.Operand) -> Answer {
    guard let whole = value(of: left, besideText: true),
      let part = value(of: right, besideText: true)
    else { return .unknown }
    switch whole.view?.kind {
    case .string:
      guard let text = whole.view?.string, let part = part.view?.string else { return .no }
      return Answer(text.holds(part))
    case .object:
      guard let key = part.view?.string else { return .no }
      return Answer(whole.view?[key] != nil)
    case .array:
      guard part.hidden.isEmpty else { return .unknown }
      let kind = part.view?.kind ?? .null
      let part = part.view?.tree ?? .null
      // Only elements of the kind looked for are decoded.
      for (index, element) in (whole.view?.elements ?? []).enumerated()
      where element.kind == kind
        && !whole.hidden.contains(where: { $0.first == String(index) })
      {
        if element.tree.meansSame(as: part) { return .yes }
      }
      return whole.hidden.isEmpty ? .no : .unknown
    default: return .no
    }
  }

  /// Each element of an array in another one.
  mutating func includes(_ left: Predicate.Operand, _ right: Predicate.Operand) -> Answer {
    guard let whole = value(of: left, besideText: false),
      let part = value(of: right, besideText: false)
    else { return .unknown }
    guard whole.view?.kind == .array, part.view?.kind == .array else { return .no }
    guard whole.hidden.isEmpty, part.hidden.isEmpty else { return .unknown }
    // Both lists can have as many elements as a line has bytes.
    let known = Set((whole.view?.elements ?? []).map(\.tree.meaning))
    return Answer((part.view?.elements ?? []).allSatisfy { known.contains($0.tree.meaning) })
  }
}
