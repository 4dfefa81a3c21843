/// What a held machine does with the app's own events.
package enum HoldPolicyWord: String, MessageWord {
  /// Answers that they were refused.
  case refuse
  /// Keeps them, up to a limit, until it goes on.
  case queue
}
