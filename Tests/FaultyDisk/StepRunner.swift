import Dispatch
import Synchronization
import TimelineStore

/// Runs the store's work and a test's tasks on one queue, so that the disk sees the same operations in
/// each run.
///
/// Work that is to be done later is done when a test waits for ``idle()``, or never when it is much
/// later, such as the store's own next try.
package final class StepRunner: StoreRunner, TaskExecutor {
  private struct State {
    var pending = 0
    var later: [(order: Int, time: Duration, work: @Sendable () -> Void)] = []
    var order = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = DispatchQueue(label: "faulty disk")
  private let state = Mutex(State())

  package init() {}

  package func run(on queue: String, _ work: @escaping @Sendable () -> Void) { add(work) }

  package func run(
    on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void
  ) {
    guard time < .seconds(1) else { return }
    state.withLock { state in
      state.order += 1
      state.later.append((state.order, time, work))
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  private func add(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.pending += 1 }
    queue.async {
      work()
      self.finish()
    }
  }

  private func finish() {
    let (next, ready) = state.withLock { state in
      state.pending -= 1
      guard state.pending == 0, !state.waiting.isEmpty else {
        return (nil as (@Sendable () -> Void)?, [] as [CheckedContinuation<Void, Never>])
      }
      if let first = state.later.indices.min(by: { state.later[$0].time < state.later[$1].time }) {
        return (state.later.remove(at: first).work, [])
      }
      defer { state.waiting = [] }
      return (nil, state.waiting)
    }
    if let next { add(next) }
    for continuation in ready { continuation.resume() }
  }

  /// Returns when nothing is left to be done, what was to be done later included.
  package func idle() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append(continuation) }
      add {}
    }
  }

  /// Runs a closure, and everything that it awaits, on the queue.
  package func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await withTaskExecutorPreference(self) { try await body() }
  }
}
