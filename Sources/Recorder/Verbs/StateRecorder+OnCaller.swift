import Replaying
public import StatesCore
import Timelines

// Machines whose states or events are not `Sendable`: they are encoded where they are.

extension StateRecorder {
  /// Records a machine whose types cannot leave its isolation: they are encoded on the thread that
  /// sends.
  ///
  /// It can be looked at; nobody can run it again or send it anything, because values of such types
  /// cannot be made elsewhere. Hide parts of it by pointers: where a rule names a property of its
  /// state by a key path, it is not recorded, and the log says so.
  ///
  /// ```swift
  /// final class Handle { var number = 1 }
  /// struct Screen: Reducible {
  ///   var handle = Handle()
  ///   enum Event { case opened }
  ///   static func reduce(state: Screen, event: Event) -> Screen { state }
  /// }
  /// let recorder = StateRecorder(app: "Commute")
  /// let screen = recorder.record(Machine(Screen()), as: "screen", encoded: .onCaller)
  /// screen.send(.opened)
  /// ```
  @discardableResult
  public func record<State: Reducible>(
    _ machine: Machine<State>, as name: String, encoded place: EncodingPlace
  ) -> Machine<State> {
    let appearance = AnyStateAppearance<State, State.Event>(outputs: State.outputs)
    core?.recordOnCaller(
      machine.kernel, name, appearance, of: State.self,
      MachineFacts(
        kind: MachineKind.states.rawValue, type: State.self, eventType: State.Event.self))
    return machine
  }

  /// Records a form whose types cannot leave its isolation; see `record(_:as:encoded:)`.
  @discardableResult
  public func record<State, Event>(
    _ form: StateForm<State, Event>, as name: String, encoded place: EncodingPlace,
    outputs: Outputs<State> = Outputs([])
  ) -> StateForm<State, Event> {
    core?.recordOnCaller(
      form.kernel, name, ReflectedForm<State, Event>(outputs: outputs), of: State.self,
      .form(State.self, Event.self, nil))
    return form
  }

  /// Records a chart whose value cannot leave its isolation; see `record(_:as:encoded:)`.
  @discardableResult
  public func record<Value>(
    _ chart: Statechart<Value>, as name: String, encoded place: EncodingPlace
  ) -> Statechart<Value> {
    core?.recordOnCaller(
      chart.kernel, name, ReflectedChart<Value>(), of: Value.self,
      MachineFacts(
        kind: MachineKind.statechart.rawValue, type: Statechart<Value>.self, ruledType: Value.self,
        chart: chart.outline))
    return chart
  }
}

extension RecorderCore {
  /// Records a machine by encoding each step where it is made.
  ///
  /// - Parameter subject: the type that rules are about.
  fileprivate func recordOnCaller<Appearance: MachineAppearance>(
    _ kernel: Kernel<Appearance.State, Appearance.Input>, _ name: String,
    _ appearance: Appearance, of subject: Any.Type, _ facts: MachineFacts
  ) {
    guard isFree(kernel) else { return }
    // Its states come as JSON, in which nobody finds a key path.
    let rules = options.redaction + RedactionRules(declaredBy: subject)
    guard !rules.namesProperty(of: subject) else {
      return options.log(
        """
        \(name) is not recorded: a rule hides a property of \(subject) by its key path, which can \
        not be done where a machine is encoded on its own thread. To fix, hide it by a pointer, \
        such as .hide("/token").
        """)
    }
    let encoder = CallerEncoder(appearance: appearance, base: kernel.number)
    let first = encoder.state(kernel.state, after: nil)
    let admission: Admission<CallerState, CallerEvent> = admit(
      name, identity: kernel.identity,
      .machine(number: kernel.number, state: first, time: clock.now),
      CallerAppearance(outputKinds: appearance.outputKinds), facts, encoding: .onCaller,
      input: { $0 })
    let end = CaptureEnd(admission)
    kernel.tap = Tap(
      willHandle: { input in
        // It is encoded when it was handled, for a reducer may complete it; until then it is there for
        // the case that the program dies of it.
        if let input { end.begin(encoder.begun(input)) } else { end.cancel() }
      },
      didHandle: { input, after, details in
        if !end.isBusy { end.begin(nil) }
        let now = end.now()
        let duration = input == nil ? 0 : end.duration(until: now)
        end.complete(input.map { encoder.event($0, details) })
        // A state that there is no room for is not encoded in vain.
        let isKept = input == nil || end.wantsState(isCopied: false, now: now)
        let extra = StepExtra.extra(of: details, duration: duration)
        guard isKept else {
          return end.finishThinned(
            number: details.number, callSite: details.callSite, extra: extra, time: now)
        }
        end.finish(
          encoder.state(after, after: input), number: details.number, callSite: details.callSite,
          extra: extra, time: now, isReplaced: input == nil)
      })
  }
}

/// How a state of any type appears: as it encodes itself, else by reflection.
private struct AnyStateAppearance<State, Input>: MachineAppearance {
  private let values: ReflectedAppearance<State, Input>

  init(outputs: Outputs<State>) {
    values = ReflectedAppearance(outputs: outputs)
  }

  var outputKinds: [Header.Output] { values.outputKinds }

  func recorded(_ state: State) -> EncodedOrReflected<State> { EncodedOrReflected(value: state) }

  func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    values.outputs(of: state, after: input)
  }

  func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    try values.event(input, in: context)
  }
}

/// A value as it encodes itself, else as reflection shows it.
private struct EncodedOrReflected<Value>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    if let value = value as? any Encodable {
      try value.encode(to: encoder)
    } else {
      try Reflected(value).encode(to: encoder)
    }
  }
}
