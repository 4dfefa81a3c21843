package import JSONCore

extension Predicate {
  /// What a predicate reads at one of its paths.
  package struct Reading: Hashable, Sendable {
    /// The path, as the predicate writes it.
    package var path: String
    /// The value; `nil` when the moment cannot tell. A missing value is `null`.
    package var value: JSON?
    /// The value before the entry, for a path into the state or the outputs; `nil` for other paths
    /// and when the moment cannot tell.
    package var before: JSON?
  }

  /// The paths that the predicate reads, each once, in the order of its text.
  package var paths: [Path] {
    var paths: [Path] = []
    for path in expression.paths where !paths.contains(path) { paths.append(path) }
    return paths
  }

  /// The values that the predicate reads at a moment: why its answer is what it is.
  package func readings(at moment: some PredicateSubject) -> [Reading] {
    var evaluation = PredicateEvaluation(moment)
    func json(_ found: FoundValue?) -> JSON? { found.map { $0.view?.tree ?? .null } }
    let leaf = evaluation.leaf(of: expression).map { Path(to: $0) }
    return (paths + [leaf].compactMap(\.self)).map { path in
      let earlier: Path? =
        switch path.root {
        case .state: Path(.beforeState, path.steps)
        case .outputs: Path(.beforeOutputs, path.steps)
        default: nil
        }
      var before: JSON?
      if let earlier, case .known = moment.values(.before) {
        before = json(evaluation.value(at: earlier))
      }
      return Reading(
        path: path.description, value: json(evaluation.value(at: path)), before: before)
    }
  }
}

extension Predicate.Path {
  /// The path of a leaf that `anywhere` found.
  package init(to leaf: Pointer) {
    self.init(
      Predicate.Root(rawValue: leaf.tokens.first ?? "") ?? .state,
      leaf.tokens.dropFirst().map { token in
        Pointer.index(token).map(Predicate.Step.index) ?? .key(token)
      })
  }
}

extension Predicate.Expression {
  /// The paths that it reads, in the order in which they are written.
  package var paths: [Predicate.Path] {
    switch self {
    case .value(let operand), .matches(let operand, _): operand.paths
    case .compare(let left, _, let right), .contains(let left, let right),
      .includes(let left, let right):
      left.paths + right.paths
    case .anywhere: []
    case .changed(let path): [path]
    case .not(let inner): inner.paths
    case .all(let parts), .any(let parts): parts.flatMap(\.paths)
    }
  }
}

extension Predicate.Operand {
  /// The paths that it reads.
  package var paths: [Predicate.Path] {
    switch self {
    case .path(let path): [path]
    case .literal: []
    case .sum(let paths): paths
    }
  }
}
