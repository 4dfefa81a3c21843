import Timelines
package import Wire

/// The environment of a host session: the time, the memory, cancellation, and callbacks while it
/// works.
///
/// Everything has a default that does nothing, so that a test sets only what it needs.
package struct HostSessionEnvironment {
  /// The time since an arbitrary moment.
  package var now: () -> Duration

  /// The resident memory of the process in bytes.
  package var memory: () -> Int64

  package var isCancelled: (RequestID) -> Bool

  /// Called before a request runs an entry.
  ///
  /// If the entry traps, this is all that is known about it.
  package var willRun: (_ request: RequestID, _ seq: Int64) -> Void

  /// Called when an entry was computed and waits to be sent with the next part.
  package var didCollect: (_ line: [UInt8]) -> Void

  /// Called when all waiting entries were sent and nothing is running.
  package var didSend: () -> Void

  /// Creates an environment in which no time passes.
  package init(
    now: @escaping () -> Duration = { .zero }, memory: @escaping () -> Int64 = { 0 },
    isCancelled: @escaping (RequestID) -> Bool = { _ in false }
  ) {
    self.now = now
    self.memory = memory
    self.isCancelled = isCancelled
    willRun = { _, _ in }
    didCollect = { _ in }
    didSend = {}
  }
}
