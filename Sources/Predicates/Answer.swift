/// What a predicate says about a moment.
///
/// The third answer is for values that were not recorded: a thinned state, a lost entry, or a redacted
/// value. It does not match and is counted, so that missing data is not mistaken for "no".
public enum Answer: Hashable, Sendable {
  /// The predicate holds.
  case yes
  /// The predicate does not hold.
  case no
  /// The recording does not have the values.
  case unknown

  /// The answer for a known value.
  public init(_ isTrue: Bool) {
    self = isTrue ? .yes : .no
  }

  /// The opposite; unknown stays unknown.
  public static prefix func ! (answer: Answer) -> Answer {
    switch answer {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }
}
