public import Replaying
public import StatesCore
import Timelines

/// The part of a form's input that may leave its isolation, which excludes closures.
@usableFromInline
package enum SendableFormInput<Event: Sendable>: Sendable {
  case event(Event)
  case change
  case undo(to: Int?)
  case redo(to: Int?)

  @inlinable
  init<State>(_ input: FormInput<State, Event>) {
    switch input {
    case .event(let event, _): self = .event(event)
    case .change: self = .change
    case .undo(let step): self = .undo(to: step)
    case .redo(let step): self = .redo(to: step)
    }
  }

  /// The input for an appearance. The change of a closure is in the patch.
  func input<State>(of state: State.Type) -> FormInput<State, Event> {
    switch self {
    case .event(let event): .event(event, group: nil)
    case .change: .change({ _ in }, group: nil)
    case .undo(let step): .undo(to: step)
    case .redo(let step): .redo(to: step)
    }
  }
}

extension StateRecorder {
  /// Records a form, and returns it.
  ///
  /// The change of a closure is recorded as a patch. `outputs` are shown next to the state. To
  /// support branches and replays, pass as `make` a type that makes a fresh form.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let form = recorder.record(StateForm(state: [1, 2]), as: "numbers")
  /// form.apply { $0.append(3) }
  /// ```
  @inlinable
  @discardableResult
  public func record<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ form: StateForm<State, Event>, as name: String, outputs: Outputs<State> = Outputs([]),
    madeBy make: (any Replayable.Type)? = nil, isolation: isolated (any Actor)? = #isolation
  ) -> StateForm<State, Event> {
    guard let registration = register(form, as: name, outputs, make, isolation: isolation) else {
      return form
    }
    form.kernel.tap = registration.makeTap { (input: FormInput<State, Event>) in
      SendableFormInput(input)
    }
    return form
  }

  /// Records a form whose types are not `Codable`, by reflection: you can inspect it, but not
  /// replay it.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func record<State: Sendable, Event: Sendable>(
    _ form: StateForm<State, Event>, as name: String, outputs: Outputs<State> = Outputs([]),
    isolation: isolated (any Actor)? = #isolation
  ) -> StateForm<State, Event> {
    guard let registration = registerReflected(form, as: name, outputs, isolation: isolation) else {
      return form
    }
    form.kernel.tap = registration.makeTap { (input: FormInput<State, Event>) in
      SendableFormInput(input)
    }
    return form
  }

  @usableFromInline
  func register<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ form: StateForm<State, Event>, as name: String, _ outputs: Outputs<State>,
    _ make: (any Replayable.Type)?, isolation: isolated (any Actor)?
  ) -> Registration<State, SendableFormInput<Event>>? {
    guard let core, core.canRecord(form.kernel) else { return nil }
    let registration = core.register(
      name, form.kernel, FormAppearance<State, Event>(outputs: outputs),
      .form(State.self, Event.self, make),
      input: { (payload: SendableFormInput<Event>) in payload.input(of: State.self) })
    core.makeControllable(form, registration.machine, isolation: isolation)
    return registration
  }

  @usableFromInline
  func registerReflected<State: Sendable, Event: Sendable>(
    _ form: StateForm<State, Event>, as name: String, _ outputs: Outputs<State>,
    isolation: isolated (any Actor)?
  ) -> Registration<State, SendableFormInput<Event>>? {
    guard let core, core.canRecord(form.kernel) else { return nil }
    let registration = core.register(
      name, form.kernel, ReflectedForm<State, Event>(outputs: outputs),
      .form(State.self, Event.self, nil), encoding: .reflected,
      input: { (payload: SendableFormInput<Event>) in payload.input(of: State.self) })
    core.makeControllable(form, registration.machine, isolation: isolation)
    return registration
  }
}

extension MachineFacts {
  /// The facts of a form, named after the type that makes it, or its state.
  static func form(
    _ state: Any.Type, _ event: Any.Type, _ make: (any Replayable.Type)?
  ) -> MachineFacts {
    MachineFacts(
      kind: MachineKind.form.rawValue, type: make ?? state, make: make.map(makeExpression),
      eventType: event == Never.self ? nil : event)
  }

  static func makeExpression(_ type: any Replayable.Type) -> String {
    "\(SchemaTypes.name(of: type)).make()"
  }
}

/// Encodes a form whose types are not `Codable`: values by reflection.
struct ReflectedForm<State, Event>: MachineAppearance, Sendable {
  typealias Input = FormInput<State, Event>

  private let values: ReflectedAppearance<State, Event>
  /// Encodes changes, undos, and redos; never an event.
  private let words = FormAppearance<Int, Never>()

  init(outputs: Outputs<State>) {
    values = ReflectedAppearance(outputs: outputs)
  }

  var outputKinds: [Header.Output] { values.outputKinds }

  func recorded(_ state: State) -> Reflected<State> { values.recorded(state) }

  func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    values.outputs(of: state, after: nil)
  }

  func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    switch input {
    case .event(let event, _): try values.event(event, in: context)
    case .change: try words.event(.change({ _ in }, group: nil), in: context)
    case .undo(let step): try words.event(.undo(to: step), in: context)
    case .redo(let step): try words.event(.redo(to: step), in: context)
    }
  }
}
