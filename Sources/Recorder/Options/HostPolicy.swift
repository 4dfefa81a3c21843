/// Where this app may run its reducers for the daemon.
public enum HostPolicy: Hashable, Sendable {
  /// In its own executable, started anew, when `ReducerHost.runIfAsked` is in its `main`; else inside
  /// the live app, on a thread of its own.
  case anywhere
  /// Only in its own executable, started anew.
  case ownProcess
  /// Nowhere.
  case never
}
