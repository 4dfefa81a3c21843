import Synchronization

/// The simulation's clock for code that waits in tasks.
struct VirtualClock: Clock {
  struct Instant: InstantProtocol, Sendable {
    var time: Int64

    func advanced(by duration: Duration) -> Instant {
      Instant(time: time + duration.wholeMicroseconds)
    }
    func duration(to other: Instant) -> Duration { .microseconds(other.time - time) }
    static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
  }

  let scheduler: Scheduler

  var now: Instant { Instant(time: scheduler.now) }
  var minimumResolution: Duration { .microseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleeper.begin(continuation)
        scheduler.after(deadline.time - scheduler.now) { sleeper.end() }
      }
    } onCancel: {
      sleeper.end()
    }
    try Task.checkCancellation()
  }

  /// A sleeping task, until the time has come or it is canceled.
  private final class Sleeper: Sendable {
    private let state = Mutex<(continuation: CheckedContinuation<Void, Never>?, isOver: Bool)>(
      (nil, false))

    func begin(_ continuation: CheckedContinuation<Void, Never>) {
      let isOver = state.withLock { state in
        if !state.isOver { state.continuation = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }

    func end() {
      let continuation = state.withLock { state in
        state.isOver = true
        defer { state.continuation = nil }
        return state.continuation
      }
      continuation?.resume()
    }
  }
}

extension Duration {
  /// Rounded up.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000
  }
}
