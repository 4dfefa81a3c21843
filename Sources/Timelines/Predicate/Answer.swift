/// What a predicate says about a moment.
///
/// The third answer stands for what was not recorded: a thinned state, a lost entry, a redacted
/// value. It matches nothing and is counted, so that nobody takes silence for "no".
public enum Answer: Hashable, Sendable {
  /// The predicate holds.
  case yes
  /// The predicate does not hold.
  case no
  /// The recording does not tell.
  case unknown

  /// The answer for something that is known.
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
