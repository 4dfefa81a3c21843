import Replaying
import Synchronization

/// Runs jobs for one machine on its isolation, in order.
///
/// It keeps neither the machine nor the actor alive: each batch of jobs has a task of its own,
/// which ends with the last of them.
// Safe: `@unchecked` because the machine is only used on its isolation; it and the jobs are guarded
// by the lock.
final class MachineJobs<Object: AnyObject>: @unchecked Sendable {
  private struct Waiting: Sendable {
    var jobs: [RecordedMachine.Job] = []
    /// Whether a task was started to run them.
    var isScheduled = false
    var hasEnded = false
  }

  private weak let object: Object?
  private weak let isolation: (any Actor)?
  private let waiting = ForkSafeMutex(Waiting())

  /// Creates a queue for an object that belongs to an actor.
  init(for object: Object, on isolation: any Actor) {
    self.object = object
    self.isolation = isolation
  }

  /// Adds a job; false if the actor is gone or the queue has ended.
  func add(_ job: @escaping RecordedMachine.Job) -> Bool {
    guard let isolation else { return false }
    let (isTaken, isFirst) = waiting.withLock { waiting in
      guard !waiting.hasEnded else { return (false, false) }
      waiting.jobs.append(job)
      defer { waiting.isScheduled = true }
      return (true, !waiting.isScheduled)
    }
    if isFirst { Task { await run(on: isolation) } }
    return isTaken
  }

  /// Accepts no more jobs. Waiting ones run while the object exists.
  func end() { waiting.withLock { $0.hasEnded = true } }

  private func run(on isolation: isolated any Actor) {
    while let jobs = next() {
      for job in jobs { object.map { job($0) } }
    }
  }

  /// Removes and returns the waiting jobs; nil if there are none, which ends the task.
  private func next() -> [RecordedMachine.Job]? {
    waiting.withLock { waiting in
      waiting.isScheduled = !waiting.jobs.isEmpty
      defer { waiting.jobs = [] }
      return waiting.jobs.isEmpty ? nil : waiting.jobs
    }
  }
}
