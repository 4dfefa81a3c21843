import JSONCore

extension Predicate {
  /// What the predicate says about a moment.
  ///
  /// Missing paths are `null`; comparing values of different types is false; what was not recorded
  /// is unknown and stays so unless the rest decides. Nothing a recording holds makes this throw.
  public func evaluate(_ moment: some PredicateSubject) -> Answer {
    var evaluation = PredicateEvaluation(moment)
    return evaluation.answer(to: expression)
  }

  /// The sides of an entry whose values the answer can depend on.
  ///
  /// Empty when the line alone is enough. `changed` counts both sides, though the line's patch often
  /// spares asking.
  public var needs: Set<EntrySide> { expression.needs }
}

extension Predicate.Expression {
  fileprivate var needs: Set<EntrySide> {
    switch self {
    case .value(let operand), .matches(let operand, _): operand.needs
    case .compare(let left, _, let right), .contains(let left, let right),
      .includes(let left, let right):
      left.needs.union(right.needs)
    case .anywhere: [.after]
    case .changed: [.before, .after]
    case .not(let inner): inner.needs
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.needs) }
    }
  }
}

extension Predicate.Operand {
  fileprivate var needs: Set<EntrySide> {
    Set(paths.compactMap(\.root.side))
  }
}

/// One evaluation: a moment, and what has been asked of it so far.
struct PredicateEvaluation<Source: PredicateSubject> {
  let moment: Source
  private var valuesBefore: SideValues?
  private var valuesAfter: SideValues?

  init(_ moment: Source) {
    self.moment = moment
  }

  /// Kleene's logic: an operand that decides the result overrides `unknown`.
  mutating func answer(to expression: Predicate.Expression) -> Answer {
    switch expression {
    case .value(let operand):
      guard let found = value(of: operand, besideText: false) else { return .unknown }
      return Answer(found.view.map { $0.kind != .null && $0.bool != false } ?? false)
    case .compare(let left, let comparison, let right):
      return compare(left, comparison, right)
    case .contains(let left, let right): return contains(left, right)
    case .includes(let left, let right): return includes(left, right)
    case .matches(let left, let pattern):
      guard let found = value(of: left, besideText: true) else { return .unknown }
      return Answer(found.view?.string.map(pattern.matches) ?? false)
    case .anywhere(let test): return anywhere(test)
    case .changed(let path): return changed(path)
    case .not(let inner): return !answer(to: inner)
    case .all(let parts): return first(.no, among: parts, else: .yes)
    case .any(let parts): return first(.yes, among: parts, else: .no)
    }
  }

  private mutating func first(
    _ deciding: Answer, among parts: [Predicate.Expression], else other: Answer
  ) -> Answer {
    var result = other
    for part in parts {
      let answer = answer(to: part)
      if answer == deciding { return deciding }
      if answer == .unknown { result = .unknown }
    }
    return result
  }

  /// State and outputs on one side; the moment is asked once.
  mutating func values(_ side: EntrySide) -> SideValues {
    if let known = side == .before ? valuesBefore : valuesAfter { return known }
    let values = moment.values(side)
    if side == .before { valuesBefore = values } else { valuesAfter = values }
    return values
  }
}
