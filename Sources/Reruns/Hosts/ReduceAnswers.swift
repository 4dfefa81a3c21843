internal import HostProcesses
internal import JSONCore
internal import Synchronization
internal import Timelines
internal import Wire

/// A bounded queue from the thread that receives the parts of an answer to `reduce`, to the one
/// task that reads them.
///
/// When it is full, the request fails: a host that answers faster than its entries are stored is
/// stopped.
final class ReduceAnswers: Sendable {
  /// The maximum bytes of queued entries.
  ///
  /// Four of the longest messages of a host, so that a usual batch never comes near it.
  static let maximumBytes = 64 << 20

  private let stream: AsyncStream<HostAnswer>
  private let continuation: AsyncStream<HostAnswer>.Continuation
  private let waiting = Atomic<Int>(0)

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Adds a part of the answer.
  func add(_ answer: HostAnswer) {
    switch answer {
    case .greeted, .confirmed, .error:
      continuation.yield(answer)
      continuation.finish()
    case .reduced(let reduced):
      let bytes = Self.bytes(of: reduced)
      guard waiting.add(bytes, ordering: .relaxed).newValue <= Self.maximumBytes else {
        let refusal = Refusal(
          .limit, "The host answers faster than its entries can be kept. To fix, ask for fewer.")
        return add(.error(refusal.reply))
      }
      continuation.yield(answer)
      if !reduced.more { continuation.finish() }
    }
  }

  /// Passes each part to a closure, until the last one or until the task is canceled.
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
  /// The error to throw for a host's error reply.
  func thrown(byHost host: String) -> any Error {
    code == .canceled
      ? CancellationError()
      : Refusal(code, "\(host): \(MessageError.cut(message))", path: path.map(MessageError.cut))
  }
}
