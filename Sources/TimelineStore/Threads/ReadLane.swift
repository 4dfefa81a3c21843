/// The origin of a read: lanes take turns, however many reads one of them has.
///
///     try await ReadLane.$current.withValue(.recorder) {
///       try await store.read { reader in … }
///     }
///
/// A task-local value, so that all work for a request is in its lane.
package enum ReadLane: Hashable, Sendable {
  /// Work of the daemon itself.
  case daemon
  /// The `hello` and `open` of recorders, which have a thread of their own.
  case recorder
  /// The requests of one inspector's session.
  case session(String)

  /// The lane of the current task.
  @TaskLocal package static var current = ReadLane.daemon
}
