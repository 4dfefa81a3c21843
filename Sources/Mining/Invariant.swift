package import Predicates
package import Wire

/// A condition that held at all entries that were looked at.
package struct Invariant: Sendable {
  package var kind: InvariantKind
  package var predicate: Predicate
  /// At how many entries it could have been broken: at which its values are known.
  package var support: Int

  package init(_ kind: InvariantKind, _ predicate: Predicate, support: Int) {
    self.kind = kind
    self.predicate = predicate
    self.support = support
  }
}

extension InvariantKind {
  /// Whether it is likely meant to hold in every run: the limits, texts, and constants of one value are
  /// often those of a few recordings.
  package var isLikelyMeant: Bool {
    switch self {
    case .sum, .equality, .order, .inclusion, .implied, .monotonic, .sign: true
    case .subset, .range, .constant, .present: false
    }
  }

  /// How surprising it is that it held: conditions between two values are rare by chance, and those
  /// of one value hold of every recording that is short enough.
  var surprise: Int {
    switch self {
    case .sum: 11
    case .equality: 10
    case .order: 9
    case .inclusion: 8
    case .implied: 7
    case .monotonic: 6
    case .sign: 5
    case .subset: 4
    case .range: 3
    case .constant: 2
    case .present: 1
    }
  }
}
