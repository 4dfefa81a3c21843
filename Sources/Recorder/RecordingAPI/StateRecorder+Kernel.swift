import Replaying
public import StatesCore
import Synchronization
import Timelines

/// A machine that was registered for recording, with its inbox.
@usableFromInline
package struct Registration<State: Sendable, Payload: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State, Payload>
  @usableFromInline let clock: RecorderClock
  let machine: RecordedMachine
}

extension TypedMachinePipeline.Numbering {
  /// Whether the first state is known before the first step.
  var startsWithoutStep: Bool {
    switch self {
    case .machine: true
    case .pipeline(let first, _): first != nil
    }
  }
}

extension RecorderCore {
  /// Registers a machine whose kernel counts its steps.
  func register<Appearance: MachineAppearance & Sendable, Payload: Sendable>(
    _ name: String, _ kernel: Kernel<Appearance.State, Appearance.Input>,
    _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable,
    input: @escaping @Sendable (Payload) -> Appearance.Input
  ) -> Registration<Appearance.State, Payload> where Appearance.State: Sendable {
    register(
      name, identity: kernel.identity,
      .machine(number: kernel.number, state: kernel.state, time: clock.now), appearance, facts,
      encoding: encoding, input: input)
  }

  func register<Appearance: MachineAppearance & Sendable, Payload: Sendable>(
    _ name: String, identity: UInt,
    _ numbering: TypedMachinePipeline<Appearance, Payload>.Numbering,
    _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable,
    input: @escaping @Sendable (Payload) -> Appearance.Input
  ) -> Registration<Appearance.State, Payload> where Appearance.State: Sendable {
    let inbox = Inbox<Appearance.State, Payload>(
      limits: options.capture, wakeSignal: wakeSignal, orphanWarning: orphanWarning)
    let machine = RecordedMachine(
      name: uniqueName(name), kind: facts.kind, identity: identity, encoding: encoding,
      timeline: .random(),
      redaction: options.redaction
        + RedactionRules(
          declaredBy: facts.ruledType ?? facts.type, besides: Appearance.Recorded.self),
      commonFilter: { [weak self] in self?.filter ?? .all },
      startsWithoutStep: numbering.startsWithoutStep,
      waiting: { inbox.waitingCount },
      lost: { inbox.uncountedLosses },
      recordRestore: { inbox.recordRestore($0, number: $1) })
    machine.replay = facts.replay
    let isTaken = add(machine) { fanout in
      TypedMachinePipeline(machine, inbox, appearance, facts, numbering, fanout, input: input)
    }
    if !isTaken { inbox.close() }
    return Registration(inbox: inbox, clock: clock, machine: machine)
  }

  /// Makes a machine controllable on the isolation that it was recorded on.
  ///
  /// Without an isolation it is not: using it elsewhere would be a data race.
  func makeControllable<Object: AnyObject>(
    _ object: Object, _ machine: RecordedMachine, isolation: isolated (any Actor)?
  ) {
    guard options.allowsControl else { return }
    machine.liveControl = LiveControl(of: Object.self, machine.redaction)
    guard let isolation else { return }
    let jobs = MachineJobs(for: object, on: isolation)
    machine.attach(perform: { jobs.add($0) }, end: { jobs.end() })
  }
}

extension StateRecorder {
  /// Sets the isolation of a machine that was recorded where it was not known: in a property's
  /// initializer, or in a synchronous function without isolation.
  ///
  /// Call it once where the machine is used; from then on an inspector can control the machine. It
  /// does nothing for a machine that is not recorded.
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
    core.makeControllable(machine, recorded, isolation: isolation)
  }
}
