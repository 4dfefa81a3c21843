internal import HostProcesses
internal import JSONCore
internal import Synchronization
internal import Timelines

/// The way from whoever answers a `reduce`, on any thread, to the one task that waits for its parts.
///
/// What nobody takes is bounded: a host that answers faster than its answers are stored is stopped.
final class ReduceAnswers: Sendable {
  /// The bytes of entries that may wait for whoever asked.
  ///
  /// Four of the longest messages of a host, so that a usual batch never comes near it.
  static let mostBytes = 64 << 20

  private let stream: AsyncStream<HostAnswer>
  private let continuation: AsyncStream<HostAnswer>.Continuation
  private let waiting = Atomic<Int>(0)

  /// A way that nothing has come yet.
  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Hands an answer on.
  func add(_ answer: HostAnswer) {
    switch answer {
    case .greeted, .confirmed, .error:
      continuation.yield(answer)
      continuation.finish()
    case .reduced(let reduced):
      let bytes = Self.bytes(of: reduced)
      guard waiting.add(bytes, ordering: .relaxed).newValue <= Self.mostBytes else {
        let refusal = Refusal(
          .limit, "The host answers faster than its entries can be kept. To fix, ask for fewer.")
        return add(.error(refusal.reply))
      }
      continuation.yield(answer)
      if !reduced.more { continuation.finish() }
    }
  }

  /// Hands each answer to a closure, until the last one or until the task is cancelled.
  func forEach(_ body: (HostAnswer) async throws -> Void) async throws {
    for await answer in stream {
      if case .reduced(let reduced) = answer {
        waiting.subtract(Self.bytes(of: reduced), ordering: .relaxed)
      }
      try await body(answer)
    }
    try Task.checkCancellation()
  }

  private static func bytes(of reduced: FromRecorder.Reduced) -> Int {
    reduced.entries.reduce(0) { $0 + $1.bytes.count }
  }
}

extension ErrorReply {
  /// What a task throws that asked a host of that name, and got this.
  func thrown(byHost host: String) -> any Error {
    code == .cancelled
      ? CancellationError() : Refusal(code, "\(host): \(message)", path: path)
  }
}
