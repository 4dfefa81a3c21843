/// The result of a verification.
package enum VerifyOutcome: String, MessageWord {
  /// Every entry is the same.
  case same
  /// An entry differs: the code has changed.
  case differs
  /// Replays differ from each other: the reducer depends on more than its input.
  case impure
  /// Undecided, because input was redacted or thinned.
  case inconclusive
  /// The failure of a minimized branch no longer happens.
  case passes
  /// The failure of a minimized branch still happens.
  case fails
}
