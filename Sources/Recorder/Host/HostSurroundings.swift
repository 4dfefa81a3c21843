package import Timelines

/// What a host session asks of the world, and what it tells it while it works.
///
/// Everything has a default that does nothing, so that a test gives only what it is about.
package struct HostSurroundings {
  /// The time since some moment.
  package var now: () -> Duration

  /// The bytes of memory that the process takes.
  package var memory: () -> Int64

  /// Whether a request was cancelled meanwhile.
  package var isCancelled: (RequestID) -> Bool

  /// A request is about to run an entry, and has these entries that were not sent yet.
  ///
  /// When the entry traps, this is what is known of it.
  package var willRun: (_ request: RequestID, _ seq: Int64) -> Void

  /// An entry came out, and waits to be sent with the next part.
  package var didCollect: (_ line: [UInt8]) -> Void

  /// What waited was sent, and nothing is being run.
  package var didSend: () -> Void

  /// Surroundings in which no time passes.
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
