/// What came out of a replay.
package enum VerifyOutcome: String, MessageWord {
  /// Every entry is the same.
  case same
  /// An entry differs: the code has changed.
  case differs
  /// Replays differ from each other: the reducer depends on more than its input.
  case impure
  /// Redacted or thinned input leaves it open.
  case inconclusive
}
