package import JSONCore

extension Predicate {
  /// What an operand is at a moment.
  package enum OperandValue: Equatable, Sendable {
    case known(JSON)
    /// There is nothing, such as the sum of a text.
    case absent
    /// It was not recorded, or is hidden.
    case unknown
  }
}

extension Predicate.Operand {
  /// What the operand is at a moment.
  package func value(at moment: some PredicateSubject) -> Predicate.OperandValue {
    var evaluation = PredicateEvaluation(moment)
    guard let found = evaluation.value(of: self, besideText: false), found.hidden.isEmpty else {
      return .unknown
    }
    guard let view = found.view else { return .absent }
    return .known(view.tree)
  }
}
