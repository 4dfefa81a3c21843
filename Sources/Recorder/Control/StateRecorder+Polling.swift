import Replaying
public import StatesCore
import Synchronization

extension StateRecorder {
  /// Carries out what an inspector has asked of a machine meanwhile: for machines that belong to no
  /// actor, but to a thread or a loop of one's own.
  ///
  /// Call it there, regularly, and not from inside the machine's reducer or observers. The first
  /// call is what lets an inspector control the machine.
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
    for job in recorded.takePolledJobs() { job(machine) }
  }
}

/// Jobs that wait for the owner of a machine to ask for them.
final class PolledJobs: Sendable {
  private let jobs = ForkSafeMutex<[RecordedMachine.Job]>([])

  /// More than the commands that may wait for one machine, and as many ends of being held.
  private static let limit = 2_048

  /// Adds a job; false when nobody has asked for very many.
  func add(_ job: @escaping RecordedMachine.Job) -> Bool {
    jobs.withLock { jobs in
      guard jobs.count < Self.limit else { return false }
      jobs.append(job)
      return true
    }
  }

  /// The jobs that wait; none wait any more.
  func take() -> [RecordedMachine.Job] {
    jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }
}
