public import Replaying
public import StatesCore
import Synchronization

extension StateRecorder {
  /// Returns a system that records each of its runs as a separate timeline.
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

  /// Returns a system that records each of its runs by reflection, for types that are not
  /// `Codable`: you can inspect them, but not replay them.
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
  /// Makes the tap of one run, which is recorded from its first state on.
  fileprivate func makeTap<Appearance: MachineAppearance & Sendable>(
    _ name: String, _ run: FeedbackRun<Appearance.State, Appearance.Input>,
    _ appearance: Appearance, _ facts: MachineFacts, _ encoding: RecordedMachine.Encoding
  ) -> FeedbackTap<Appearance.State, Appearance.Input> {
    let tap = RunTap(self) { [weak run] core, state in
      let registration: Registration<Appearance.State, Appearance.Input> = core.register(
        name, identity: run?.identity ?? 0,
        .machine(number: 0, state: state, time: core.clock.now), appearance, facts,
        encoding: encoding, input: { $0 })
      guard core.options.allowsControl else { return registration }
      registration.machine.liveControl = LiveControl(
        of: FeedbackRun<Appearance.State, Appearance.Input>.self, registration.machine.redaction)
      registration.machine.attach { [weak run] job in
        // A run can be controlled from any thread.
        guard let run else { return false }
        job(run)
        return true
      }
      return registration
    }
    return FeedbackTap(
      didStart: { state, _ in tap.start(state) },
      willHandle: { event in tap.begin(event) },
      didHandle: { event, _, after, details, _ in tap.push(event, after, details) },
      didEnd: { _ in tap.finish() })
  }
}

/// The state of one run's tap. The run's own task calls it, one call at a time.
private final class RunTap<State: Sendable, Event: Sendable>: Sendable {
  typealias Register = @Sendable (RecorderCore, State) -> Registration<State, Event>

  private let core: RecorderCore
  private let register: Register
  private let writer = ForkSafeMutex<StepWriter<State, Event>?>(nil)

  init(_ core: RecorderCore, _ register: @escaping Register) {
    self.core = core
    self.register = register
  }

  func start(_ state: State) {
    let registration = register(core, state)
    writer.withLock { $0 = StepWriter(registration) }
  }

  func begin(_ event: Event) {
    writer.withLock { $0?.begin(event) }
  }

  func push(_ event: Event?, _ after: State, _ details: StepDetails) {
    writer.withLock { writer in
      guard let writer else { return }
      writer.complete(event)
      let now = writer.now()
      let duration = event == nil ? 0 : writer.duration(until: now)
      writer.finish(
        after, number: details.number, callSite: details.callSite,
        extra: StepExtra.extra(of: details, duration: duration), time: now,
        isReplaced: event == nil)
    }
  }

  func finish() {
    writer.withLock { $0 = nil }
  }
}
