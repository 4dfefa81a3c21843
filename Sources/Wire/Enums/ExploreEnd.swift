/// What ended an exploration.
package enum ExploreEnd: String, MessageWord {
  /// As many findings as were asked for.
  case found
  /// Every state that the events lead to was visited.
  case everything
  /// The maximum number of events.
  case depth
  /// The maximum number of states.
  case states
  /// The time.
  case time
}
