/// What an exported test asserts after each event.
package enum ExportAssertion: String, MessageWord {
  /// The outputs that changed.
  case changedOutputs = "changed-outputs"
  /// The values at chosen paths.
  case paths
  /// The whole state.
  case state
  /// The whole state, after the last event only.
  case final
}
