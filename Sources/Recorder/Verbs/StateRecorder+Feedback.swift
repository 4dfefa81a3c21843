public import Replaying
public import StatesCore
import Synchronization

extension StateRecorder {
  /// The same system, each run of which is recorded, as a timeline of its own.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let system = recorder.record(
  ///   FeedbackSystem(initialState: 0, reduce: { (state: Int, event: Int) in state + event },
  ///     feedback: []), as: "sum")
  /// let run = system.makeRun()
  /// run.send(42)
  /// for try await state in run where state == 42 { break }
  /// ```
  public func record<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ system: FeedbackSystem<State, Event>, as name: String,
    madeBy make: (any Replayable.Type)? = nil
  ) -> FeedbackSystem<State, Event> {
    guard let core else { return system }
    let appearance = FeedbackAppearance(of: system)
    let facts = MachineFacts(
      kind: MachineKind.feedback.rawValue, type: make ?? State.self,
      make: make.map(MachineFacts.makeExpression), eventType: Event.self)
    return system.recorded { run in core.makeTap(name, run, appearance, facts, .codable) }
  }

  /// The same system, each run of which is recorded by reflection: it can be looked at, not run
  /// again.
  @_disfavoredOverload
  public func record<State: Sendable, Event: Sendable>(
    _ system: FeedbackSystem<State, Event>, as name: String
  ) -> FeedbackSystem<State, Event> {
    guard let core else { return system }
    let appearance = ReflectedAppearance<State, Event>()
    let facts = MachineFacts(
      kind: MachineKind.feedback.rawValue, type: State.self, eventType: Event.self)
    return system.recorded { run in core.makeTap(name, run, appearance, facts, .reflected) }
  }
}

extension RecorderCore {
  /// The tap of one run; the run is recorded from its first state on.
  fileprivate func makeTap<Appearance: MachineAppearance & Sendable>(
    _ name: String, _ run: FeedbackRun<Appearance.State, Appearance.Input>,
    _ appearance: Appearance, _ facts: MachineFacts, _ encoding: RecordedMachine.Encoding
  ) -> FeedbackTap<Appearance.State, Appearance.Input> {
    let tap = RunTap(self) { [weak run] core, state in
      let admission: Admission<Appearance.State, Appearance.Input> = core.admit(
        name, identity: run?.identity ?? 0,
        .machine(number: 0, state: state, time: core.clock.now), appearance, facts,
        encoding: encoding, input: { $0 })
      guard core.options.allowsControl else { return admission }
      admission.machine.liveControl = LiveControl(
        of: FeedbackRun<Appearance.State, Appearance.Input>.self, admission.machine.redaction)
      admission.machine.reach { [weak run] job in
        // A run can be controlled from anywhere.
        guard let run else { return false }
        job(run)
        return true
      }
      return admission
    }
    return FeedbackTap(
      didStart: { state, _ in tap.start(state) },
      willHandle: { event in tap.begin(event) },
      didHandle: { event, _, after, details, _ in tap.push(event, after, details) },
      didEnd: { _ in tap.finish() })
  }
}

/// What the tap of one run remembers. The run's own task calls it, one call at a time.
private final class RunTap<State: Sendable, Event: Sendable>: Sendable {
  typealias Admit = @Sendable (RecorderCore, State) -> Admission<State, Event>

  private let core: RecorderCore
  private let admit: Admit
  private let end = ForkSafeMutex<CaptureEnd<State, Event>?>(nil)

  init(_ core: RecorderCore, _ admit: @escaping Admit) {
    self.core = core
    self.admit = admit
  }

  func start(_ state: State) {
    let admission = admit(core, state)
    end.withLock { $0 = CaptureEnd(admission) }
  }

  func begin(_ event: Event) {
    end.withLock { $0?.begin(event) }
  }

  func push(_ event: Event?, _ after: State, _ details: StepDetails) {
    end.withLock { end in
      guard let end else { return }
      end.complete(event)
      let now = end.now()
      let duration = event == nil ? 0 : end.duration(until: now)
      end.finish(
        after, number: details.number, callSite: details.callSite,
        extra: StepExtra.extra(of: details, duration: duration), time: now,
        isReplaced: event == nil)
    }
  }

  func finish() {
    end.withLock { $0 = nil }
  }
}
