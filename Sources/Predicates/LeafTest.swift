import JSONCore

extension Predicate {
  /// A condition on one leaf of a moment: on a string, a number, a Boolean, or `null`.
  ///
  /// `anywhere contains "4711"` holds if a leaf of the event, the state, or the outputs passes.
  public enum LeafTest: Hashable, Sendable {
    /// How the leaf compares with a literal; `!=` is not read.
    case compare(Comparison, Literal)
    /// Whether the leaf is a string that contains this one.
    case contains(Literal)
    /// Whether the leaf is a string that the pattern matches.
    case matches(Pattern)
  }
}

extension Predicate.LeafTest {
  func passes(_ leaf: JSONView) -> Bool {
    switch self {
    case .compare(let comparison, let literal): literal.compares(comparison, to: leaf)
    case .contains(.string(let text)): leaf.string.map { $0.holds(text) } ?? false
    case .contains: false
    case .matches(let pattern): leaf.string.map(pattern.matches) ?? false
    }
  }

  /// Whether a value passes that has a stand-in in its place; a stand-in has the type of its value.
  func mayPass(as kind: JSONSlice.Kind) -> Bool {
    switch (kind, self) {
    // Their leaves are not known.
    case (.object, _), (.array, _): true
    case (_, .compare(_, let literal)): literal.json.kind == kind
    case (_, .contains), (_, .matches): kind == .string
    }
  }
}

extension Predicate.Literal {
  /// Whether a leaf compares so to the literal; only numbers and strings have an order.
  fileprivate func compares(_ comparison: Predicate.Comparison, to leaf: JSONView) -> Bool {
    switch self {
    case .number(let number):
      return leaf.number.map { comparison.accepts($0.compare(number)) } ?? false
    case .string(let text):
      guard let leaf = leaf.string else { return false }
      return comparison.accepts(
        leaf.hasSameBytes(as: text) ? 0 : leaf.precedesByBytes(text) ? -1 : 1)
    case .bool(let bool): return comparison == .equal && leaf.bool == bool
    case .null: return comparison == .equal && leaf.kind == .null
    }
  }
}

extension Predicate.Comparison {
  /// Whether it holds for an order.
  fileprivate func accepts(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension JSON {
  fileprivate var kind: JSONSlice.Kind { JSONView.tree(self).kind }
}
