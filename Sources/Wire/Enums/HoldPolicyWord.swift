/// What a held machine does with the app's own events.
package enum HoldPolicyWord: String, MessageWord {
  /// Refuses them.
  case refuse
  /// Queues them, up to a limit, until the machine resumes.
  case queue
}
