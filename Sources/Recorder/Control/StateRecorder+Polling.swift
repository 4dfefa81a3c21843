import Replaying
public import StatesCore
import Synchronization

extension StateRecorder {
  /// Executes an inspector's pending commands, for a machine that belongs to a thread or a loop
  /// rather than an actor.
  ///
  /// Call it there regularly, and not from inside the machine's reducer or observers. The first
  /// call makes the machine controllable.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Game")
  /// let form = recorder.record(StateForm(state: 0), as: "score", isolation: nil)
  /// for _ in 0..<3 {
  ///   form.apply { $0 += 1 }
  ///   recorder.poll(form)
  /// }
  /// ```
  public func poll(_ machine: some StateMachine) {
    // The recording may have ended while the machine was held.
    machine.kernel.resumeIfAbandoned()
    guard let core, core.isOurs, core.options.allowsControl,
      let recorded = core.machine(identity: machine.kernel.identity)
    else { return }
    for job in recorded.drainPolledJobs() { job(machine) }
  }
}

/// Jobs that wait until the owner of a machine polls.
final class PolledJobs: Sendable {
  private let jobs = ForkSafeMutex<[RecordedMachine.Job]>([])

  /// More than the commands that may wait for one machine, plus as many ends of holds.
  private static let limit = 2_048

  /// Adds a job; false if the owner has not polled for so long that the queue is full.
  func add(_ job: @escaping RecordedMachine.Job) -> Bool {
    jobs.withLock { jobs in
      guard jobs.count < Self.limit else { return false }
      jobs.append(job)
      return true
    }
  }

  func drain() -> [RecordedMachine.Job] {
    jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }
}
