/// Where the daemon may have this app run its reducers.
public enum HostPolicy: Hashable, Sendable {
  /// In a new process of its own executable if `main` calls `ReducerHost.runIfAsked`; otherwise
  /// inside the live app, on a separate thread.
  case anywhere
  /// Only in a new process of its own executable.
  case ownProcess
  /// Nowhere.
  case never
}
