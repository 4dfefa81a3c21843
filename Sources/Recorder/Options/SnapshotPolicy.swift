/// When an entry holds the full state.
public enum SnapshotPolicy: Hashable, Sendable {
  /// When the changes since the last full state are as long as it: then full states are at most half
  /// of a recording, and any state is found by reading at most that much.
  case automatic
  /// As `automatic`, and at least every so many entries.
  case atLeastEvery(Int)
}
