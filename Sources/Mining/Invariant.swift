package import Predicates

/// A condition that held at all entries that were looked at.
package struct Invariant: Sendable {
  /// What kind of condition it is.
  package enum Kind: String, Sendable, CaseIterable {
    /// A number is the sum of a list or of two other numbers.
    case sum
    /// Two values are always equal.
    case equality
    /// One value is never larger than another one.
    case order
    /// A list always contains a value, or another list.
    case inclusion
    /// After an event, a value is always the same.
    case implied
    /// A number never becomes smaller.
    case monotonic
    /// A number is never negative, or never positive.
    case sign
    /// A text is one of a few.
    case subset
    /// A number has a smallest and a largest value.
    case range
    /// A value is always the same.
    case constant
    /// A value is always there.
    case present

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

  package var kind: Kind
  package var predicate: Predicate
  /// At how many entries it could have been broken: at which its values are known.
  package var support: Int

  package init(_ kind: Kind, _ predicate: Predicate, support: Int) {
    self.kind = kind
    self.predicate = predicate
    self.support = support
  }
}
