/// What ended an exploration.
package enum ExploreEnd: String, MessageWord {
  /// As many findings as requested.
  case found
  /// Every state that these events lead to was visited.
  case everything
  /// The maximum number of events.
  case depth
  /// The maximum number of states.
  case states
  /// The time limit.
  case time
  /// The search failed after it had found something.
  case failed
}
