import Replaying
import Synchronization

/// The jobs for one machine, which are run on its isolation, in their order.
///
/// Neither the machine nor the actor is kept alive by it: each batch of jobs has a task of its own, which
/// ends with the last of them.
// Safe: `@unchecked` for the machine, which is only handed out on its isolation; that one and the
// jobs are guarded by the lock.
final class MachineJobs<Object: AnyObject>: @unchecked Sendable {
  private struct Waiting: Sendable {
    var jobs: [RecordedMachine.Job] = []
    /// Whether a task is on its way to run them.
    var isScheduled = false
    var hasEnded = false
  }

  private weak let object: Object?
  private weak let isolation: (any Actor)?
  private let waiting = ForkSafeMutex(Waiting())

  /// Jobs for an object that belongs to an actor.
  init(for object: Object, on isolation: any Actor) {
    self.object = object
    self.isolation = isolation
  }

  /// Adds a job; false when nobody is there to run it.
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

  /// Takes no more jobs; those that wait are run while the object is there.
  func end() { waiting.withLock { $0.hasEnded = true } }

  private func run(on isolation: isolated any Actor) {
    while let jobs = next() {
      for job in jobs { object.map { job($0) } }
    }
  }

  /// What waits; nil, and no task is on its way any more, when nothing does.
  private func next() -> [RecordedMachine.Job]? {
    waiting.withLock { waiting in
      waiting.isScheduled = !waiting.jobs.isEmpty
      defer { waiting.jobs = [] }
      return waiting.jobs.isEmpty ? nil : waiting.jobs
    }
  }
}
