import Replaying
import StatesCore
import Synchronization
import Timelines

extension StateRecorder {
  /// Makes a recorder for a process that was forked from one that records.
  ///
  /// In a forked child the parent's recorder does nothing: its threads do not exist there, and its
  /// timelines belong to the parent. Machines that you record with the new recorder get their own
  /// timelines, which name the parent's entries they continue.
  ///
  /// ```swift
  /// func work(_ recorder: StateRecorder, _ form: StateForm<Int, Never>) {
  ///   // in the child
  ///   let recorder = recorder.resumeAfterFork()
  ///   recorder.record(form, as: "form")
  /// }
  /// ```
  /// In the process that created the recorder, it returns the recorder itself. Call it before the
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
  /// Whether this is the process that created the core.
  var isOurs: Bool { generation == ForkWatch.generation }

  /// Whether a machine can be recorded: it is not recorded yet, or only by a recorder that has
  /// ended or belongs to a parent process.
  func canRecord<State, Input>(_ kernel: Kernel<State, Input>) -> Bool {
    guard kernel.tap != nil else { return true }
    guard let (other, machine) = LiveRecorders.recorder(of: kernel.identity) else {
      guard kernel.isBusy else { return true }
      options.log(
        """
        A machine of type \(State.self) is not recorded again, because it is handling an event. To \
        fix, call record outside its reducer and observers.
        """)
      return false
    }
    guard other !== self else { return false }
    options.log(
      """
      \(machine.name) is already recorded by another recorder, of \(other.app.name), and is not \
      recorded twice. To fix, close the other recorder first.
      """)
    return false
  }

  /// Returns the last entries that were written before the fork, by machine; empty if a thread that
  /// does not exist here held the lock.
  func ancestorsAfterFork() -> [UInt: EntryReference] {
    let machines = shared.withLockIfAvailable { $0.machines } ?? [:]
    return machines.compactMapValues { machine in
      let last = machine.lastSeq.load(ordering: .relaxed)
      guard last >= 0, let timeline = machine.timelineIfAvailable else { return nil }
      return EntryReference(timeline: timeline, seq: last)
    }
  }
}
