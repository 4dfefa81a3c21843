import Replaying
public import StatesCore
import Timelines

// Machines whose states or events are not `Sendable`: they are encoded on their own thread.

extension StateRecorder {
  /// Records a machine whose types cannot leave its isolation, by encoding them on the sending
  /// thread.
  ///
  /// You can inspect the machine, but not replay it or send it events, because values of such types
  /// cannot be made elsewhere. Redact parts of it with pointers: if a rule names a property of its
  /// state by a key path, the machine is not recorded, and the log says so.
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
  /// Records a machine by encoding each step on the sending thread.
  ///
  /// - Parameter subject: The type that rules apply to.
  fileprivate func recordOnCaller<Appearance: MachineAppearance>(
    _ kernel: Kernel<Appearance.State, Appearance.Input>, _ name: String,
    _ appearance: Appearance, of subject: Any.Type, _ facts: MachineFacts
  ) {
    guard canRecord(kernel) else { return }
    // Its states arrive as JSON, where a key path cannot be resolved.
    let rules = options.redaction + RedactionRules(declaredBy: subject)
    guard !rules.namesProperty(of: subject) else {
      return options.log(
        """
        \(name) is not recorded: a redaction rule names a property of \(subject) by its key path, \
        which is not supported with encoded: .onCaller. To fix, use a pointer, such as \
        .hide("/token").
        """)
    }
    let encoder = CallerEncoder(appearance: appearance, base: kernel.number)
    let first = encoder.state(kernel.state, after: nil)
    let registration: Registration<CallerState, CallerEvent> = register(
      name, identity: kernel.identity,
      .machine(number: kernel.number, state: first, time: clock.now),
      CallerAppearance(outputKinds: appearance.outputKinds), facts, encoding: .onCaller,
      input: { $0 })
    let writer = StepWriter(registration)
    kernel.tap = Tap(
      willHandle: { input in
        // The event is encoded after it was handled, because a reducer may complete it. Until then
        // it can be encoded if the program crashes.
        if let input { writer.begin(encoder.begun(input)) } else { writer.cancel() }
      },
      didHandle: { input, after, details in
        if !writer.isBusy { writer.begin(nil) }
        let now = writer.now()
        let duration = input == nil ? 0 : writer.duration(until: now)
        writer.complete(input.map { encoder.event($0, details) })
        // Do not encode a state that there is no room for.
        let isKept = input == nil || writer.wantsState(isCopied: false, now: now)
        let extra = StepExtra.extra(of: details, duration: duration)
        guard isKept else {
          return writer.finishThinned(
            number: details.number, callSite: details.callSite, extra: extra, time: now)
        }
        writer.finish(
          encoder.state(after, after: input), number: details.number, callSite: details.callSite,
          extra: extra, time: now, isReplaced: input == nil)
      })
  }
}

/// Encodes a state of any type, with its own `encode(to:)` if it has one and by reflection
/// otherwise.
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

/// Encodes a value with its own `encode(to:)` if it has one, and by reflection otherwise.
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
