internal import Synchronization

/// Tasks that wait until entries of a branch can be read.
final class BranchWaiters: Sendable {
  private struct Waiter {
    var seq: Int64
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var next: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>

  /// No waiters; `clock` measures their timeouts.
  init(_ clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Waits until an entry can be read, all waiters are released, or the task is canceled.
  ///
  /// It stays on the caller's actor between the caller's check and the wait. Otherwise a release in
  /// between would be missed.
  func wait(
    upTo seq: Int64, milliseconds: Int64? = nil, isolation: isolated (any Actor)? = #isolation
  ) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = milliseconds.map { milliseconds in
      Task { [clock] in
        try? await clock.sleep(for: .milliseconds(milliseconds))
        release(number)
      }
    }
    await withTaskCancellationHandler {
      // A closure is isolated to the actor only if it captures it.
      _ = isolation
      await withCheckedContinuation(isolation: isolation) { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.waiters[number] = Waiter(seq: seq, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      release(number)
    }
    timer?.cancel()
  }

  private func release(_ number: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
  }

  /// Releases the waiters whose entry can be read.
  func release(upTo seq: Int64) {
    let over = state.withLock { state in
      let over = state.waiters.filter { $0.value.seq <= seq }
      for number in over.keys { state.waiters[number] = nil }
      return over
    }
    for waiter in over.values { waiter.continuation.resume() }
  }

  func releaseAll() { release(upTo: .max) }
}
