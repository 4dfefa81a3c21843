import Replaying
public import StatesCore
import Synchronization
import Timelines

/// A machine that is about to be recorded: its inbox, and how it is known.
@usableFromInline
package struct Admission<State: Sendable, Payload: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State, Payload>
  @usableFromInline let clock: RecorderClock
  let machine: RecordedMachine
}

extension RecorderCore {
  /// Takes in a machine whose kernel counts its steps.
  func admit<Appearance: MachineAppearance & Sendable, Payload: Sendable>(
    _ name: String, _ kernel: Kernel<Appearance.State, Appearance.Input>,
    _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable,
    input: @escaping @Sendable (Payload) -> Appearance.Input
  ) -> Admission<Appearance.State, Payload> where Appearance.State: Sendable {
    admit(
      name, identity: kernel.identity,
      .machine(number: kernel.number, state: kernel.state, time: clock.now), appearance, facts,
      encoding: encoding, input: input)
  }

  /// Takes in a machine.
  func admit<Appearance: MachineAppearance & Sendable, Payload: Sendable>(
    _ name: String, identity: UInt,
    _ numbering: MachineScribe<Appearance, Payload>.Numbering,
    _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable,
    input: @escaping @Sendable (Payload) -> Appearance.Input
  ) -> Admission<Appearance.State, Payload> where Appearance.State: Sendable {
    let inbox = Inbox<Appearance.State, Payload>(
      limits: options.capture, alarm: alarm, farewell: farewell)
    let machine = RecordedMachine(
      name: uniqueName(name), kind: facts.kind, identity: identity, encoding: encoding,
      timeline: .random(),
      redaction: options.redaction
        + RedactionRules(
          declaredBy: facts.ruledType ?? facts.type, besides: Appearance.Recorded.self),
      commonFilter: { [weak self] in self?.filter ?? .all },
      waiting: { inbox.waitingCount },
      noteRestore: { inbox.note($0, number: $1) })
    machine.replay = facts.replay
    let isTaken = add(machine) { desk in
      MachineScribe(machine, inbox, appearance, facts, numbering, desk, input: input)
    }
    if !isTaken { inbox.close() }
    return Admission(inbox: inbox, clock: clock, machine: machine)
  }

  /// Lets jobs reach a machine on the isolation that it was recorded on.
  ///
  /// Without an isolation nothing can: running it elsewhere would be a data race.
  func serve<Object: AnyObject>(
    _ object: Object, _ machine: RecordedMachine, isolation: isolated (any Actor)?
  ) {
    guard options.allowsControl else { return }
    machine.liveControl = LiveControl(of: Object.self, machine.redaction)
    guard let isolation else { return }
    let jobs = MachineJobs(for: object, on: isolation)
    machine.reach(by: { jobs.add($0) }, end: { jobs.end() })
  }
}

extension StateRecorder {
  /// Says which isolation a machine belongs to that was recorded where that is not known: in a
  /// property's initialiser, in a synchronous function without isolation.
  ///
  /// Call it once, where the machine is used; from then on an inspector can control it. A machine
  /// that is not recorded is left alone.
  ///
  /// ```swift
  /// @MainActor final class Screen {
  ///   let recorder: StateRecorder
  ///   let form: StateForm<Int, Never>
  ///   init(_ recorder: StateRecorder, _ form: StateForm<Int, Never>) {
  ///     (self.recorder, self.form) = (recorder, form)
  ///     recorder.attach(form)
  ///   }
  /// }
  /// ```
  public func attach(
    _ machine: some StateMachine, isolation: isolated (any Actor)? = #isolation
  ) {
    guard let core, core.isOurs, let recorded = core.machine(identity: machine.kernel.identity)
    else { return }
    core.serve(machine, recorded, isolation: isolation)
  }
}
