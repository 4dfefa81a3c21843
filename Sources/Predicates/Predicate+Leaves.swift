package import JSONCore

extension Predicate {
  /// The tests of `anywhere`, in the order of the text.
  package var leafTests: [LeafTest] { expression.leafTests }

  /// Where a leaf is because of which the predicate holds: the path of the first one that passes an
  /// `anywhere`, `/event/…`, `/state/…` or `/outputs/…`; `nil` if the predicate holds without one.
  package func leaf(at moment: some PredicateSubject) -> Pointer? {
    guard !leafTests.isEmpty else { return nil }
    var evaluation = PredicateEvaluation(moment)
    return evaluation.leaf(of: expression)
  }
}

extension Predicate.Expression {
  fileprivate var leafTests: [Predicate.LeafTest] {
    switch self {
    case .anywhere(let test): [test]
    case .value, .compare, .contains, .includes, .matches, .changed: []
    case .not(let inner): inner.leafTests
    case .all(let parts), .any(let parts): parts.flatMap(\.leafTests)
    }
  }
}

extension PredicateEvaluation {
  mutating func leaf(of expression: Predicate.Expression) -> Pointer? {
    switch expression {
    case .anywhere(let test): return leaf(test)
    case .value, .compare, .contains, .includes, .matches, .changed, .not: return nil
    case .all(let parts), .any(let parts):
      for part in parts where answer(to: part) == .yes {
        if let found = leaf(of: part) { return found }
      }
      return nil
    }
  }
}
