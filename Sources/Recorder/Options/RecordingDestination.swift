/// Where a recording goes.
public enum RecordingDestination: Sendable {
  /// A daemon: without an address the one on this machine, which is found by itself.
  case daemon(DaemonDestination = DaemonDestination())
  /// A file that ends in `.timeline`, or a folder with a file for each machine.
  case file(String)
  /// Memory, for tests.
  case memory(MemorySink)
}
