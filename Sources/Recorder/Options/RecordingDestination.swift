/// Where a recording goes.
public enum RecordingDestination: Sendable {
  /// A daemon. Without an address, the one of this user on this machine.
  case daemon(DaemonDestination = DaemonDestination())
  /// A path: of one file if it ends in `.timeline`, otherwise of a folder with a file for each
  /// machine.
  case file(String)
  /// Memory, for tests.
  case memory(MemorySink)
}
