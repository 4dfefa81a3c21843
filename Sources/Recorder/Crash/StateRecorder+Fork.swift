import Replaying
import StatesCore
import Synchronization
import Timelines

extension StateRecorder {
  /// Makes a recorder for a process that `fork()` made of one that records.
  ///
  /// In the child the parent's recorder does nothing: its threads are not there, and its timelines
  /// belong to the parent. Machines that are recorded with the new one get timelines of their own,
  /// which say where they come from.
  ///
  /// ```swift
  /// func work(_ recorder: StateRecorder, _ form: StateForm<Int, Never>) {
  ///   // in the child
  ///   let recorder = recorder.resumeAfterFork()
  ///   recorder.record(form, as: "form")
  /// }
  /// ```
  /// In the process that the recorder was made in it is the recorder itself. Call it before the
  /// child starts threads.
  public func resumeAfterFork() -> StateRecorder {
    guard let core, !core.isOurs else { return self }
    let ancestors = core.ancestorsAfterFork()
    return StateRecorder(
      core: RecorderCore.make(
        app: core.app.name, options: core.options, environment: .current, ancestors: ancestors))
  }
}

extension RecorderCore {
  /// Whether this is the process that it was made in.
  var isOurs: Bool { generation == ForkWatch.generation }

  /// Whether a machine can be recorded: nobody does, or only a recorder that has ended, or one of the
  /// process that this one was forked from.
  func isFree<State, Input>(_ kernel: Kernel<State, Input>) -> Bool {
    guard kernel.tap != nil else { return true }
    guard let (other, machine) = LiveRecorders.recorder(of: kernel.identity) else {
      guard kernel.isBusy else { return true }
      // The slot is in use.
      options.log(
        """
        A machine is not recorded anew, because it is handling an event just now. To fix, record it \
        where it is not.
        """)
      return false
    }
    guard other !== self else { return false }
    options.log(
      """
      A machine is recorded already, as \(machine.name), by another recorder, of \(other.app.name): \
      this one does not record it. To fix, close the other one before.
      """)
    return false
  }

  /// The last entries that were written before the fork, by the identity of their machines; none
  /// where a thread that is not here any more held the lock.
  func ancestorsAfterFork() -> [UInt: EntryReference] {
    let machines = shared.withLockIfAvailable { $0.machines } ?? [:]
    return machines.compactMapValues { machine in
      let last = machine.lastSeq.load(ordering: .relaxed)
      guard last >= 0, let timeline = machine.timelineIfAvailable else { return nil }
      return EntryReference(timeline: timeline, seq: last)
    }
  }
}
