/// When an entry carries the full state.
public enum SnapshotPolicy: Hashable, Sendable {
  /// When the changes since the last full state are as long as that state. Then full states are at
  /// most half of a recording, and finding any state reads at most that much.
  case automatic
  /// Like `automatic`, and at least once in this many entries.
  case atLeastEvery(Int)
}
