/// What a session may do.
package enum Capability: String, MessageWord {
  /// Read everything.
  case look
  /// Fork, rename, mark, delete, import.
  case change
  /// Drive live apps that opted in.
  case control
  /// Start executables as hosts.
  case host
}
