import Synchronization
import Wire

@testable import Reruns

/// A host that does not answer some of its requests until they are canceled.
struct StalledHost: ReducerHosting {
  let host: any ReducerHosting
  /// Is set by the first request without an answer.
  let stalled: Signal
  let stalls: @Sendable (ToRecorder.Reduce) -> Bool

  var summary: ToInspector.HostSummary { host.summary }

  func expands() async -> Bool { await host.expands() }

  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    if stalls(request) {
      stalled.set()
      await FakeHosts.neverAnswer()
      throw Refusal(.canceled, "The request was canceled.")
    }
    try await host.reduce(request, part: part)
  }
}

/// Something that happens once.
final class Signal: Sendable {
  private struct State {
    var isSet = false
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  var isSet: Bool { state.withLock { $0.isSet } }

  func set() {
    let waiting = state.withLock { state in
      state.isSet = true
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  /// Waits until it happens; throws when the task is canceled before.
  func wait() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isSet = state.withLock { state in
      state.waiting.append(continuation)
      return state.isSet
    }
    if isSet { return }
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
