import Synchronization

/// An executor that runs nothing by itself: with it, tests of a system are exact and never sleep.
///
/// Tasks and their continuations wait in one queue until ``drain(limit:)`` runs them, first in,
/// first out, on the thread that calls it.
///
/// ```swift
/// let executor = ManualExecutor()
/// let system = FeedbackSystem(
///   initialState: 0, reduce: { $0 + $1 }, executor: executor,
///   feedback: react("up", request: { $0 < 3 ? $0 : nil }) { _, emit in emit(1) })
/// let task = Task(executorPreference: executor) {
///   var states: [Int] = []
///   for try await state in system {
///     states.append(state)
///     if state == 3 { break }
///   }
///   return states
/// }
/// executor.drain()
/// let states = try await task.value
/// assert(states == [0, 1, 2, 3])
/// ```
///
/// Only one thread may drain an executor at a time. A job must not wait for another thread to drain
/// it.
public final class ManualExecutor: TaskExecutor, SerialExecutor {
  private let jobs = Mutex(WaitingQueue<UnownedJob>())

  /// Makes an executor with nothing to do.
  public init() {}

  /// The number of waiting jobs.
  public var count: Int { jobs.withLock { $0.count } }

  /// Adds a job to the end of the queue; called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the first job; returns false if the queue is empty.
  @discardableResult
  public func step() -> Bool {
    guard let job = jobs.withLock({ $0.popFirst() }) else { return false }
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    return true
  }

  /// Runs jobs until the queue is empty, including those that are added meanwhile; returns their
  /// number.
  ///
  /// It stops after `limit` jobs, so that a test of something that never finishes ends. The default
  /// is a million, which is more than any test needs and takes seconds.
  @discardableResult
  public func drain(limit: Int = 1_000_000) -> Int {
    var number = 0
    while number < limit, step() { number += 1 }
    return number
  }
}
