public import Replaying
public import StatesCore
import Timelines

/// What is kept of a form's input: closures stay on their isolation, for what they hold may belong
/// there.
@usableFromInline
package enum CarriedFormInput<Event: Sendable>: Sendable {
  case event(Event)
  case change
  case undo(to: Int?)
  case redo(to: Int?)

  /// Keeps what may leave the form's isolation.
  @inlinable
  init<State>(_ input: FormInput<State, Event>) {
    switch input {
    case .event(let event, _): self = .event(event)
    case .change: self = .change
    case .undo(let step): self = .undo(to: step)
    case .redo(let step): self = .redo(to: step)
    }
  }

  /// The input as an appearance takes it; what a closure did stands in the patch.
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
  /// Records a form; answers the form.
  ///
  /// What a closure changed is recorded as its patch. `outputs` are shown beside the state; `make` is
  /// the type that makes a fresh form for a host.
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
    guard let admission = admit(form, as: name, outputs, make, isolation: isolation) else {
      return form
    }
    form.kernel.tap = admission.makeTap { (input: FormInput<State, Event>) in
      CarriedFormInput(input)
    }
    return form
  }

  /// Records a form whose types are not Codable, by reflection: it can be looked at, not run again.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func record<State: Sendable, Event: Sendable>(
    _ form: StateForm<State, Event>, as name: String, outputs: Outputs<State> = Outputs([]),
    isolation: isolated (any Actor)? = #isolation
  ) -> StateForm<State, Event> {
    guard let admission = admitReflected(form, as: name, outputs, isolation: isolation) else {
      return form
    }
    form.kernel.tap = admission.makeTap { (input: FormInput<State, Event>) in
      CarriedFormInput(input)
    }
    return form
  }

  @usableFromInline
  func admit<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ form: StateForm<State, Event>, as name: String, _ outputs: Outputs<State>,
    _ make: (any Replayable.Type)?, isolation: isolated (any Actor)?
  ) -> Admission<State, CarriedFormInput<Event>>? {
    guard let core, core.isFree(form.kernel) else { return nil }
    let admission = core.admit(
      name, form.kernel, FormAppearance<State, Event>(outputs: outputs),
      .form(State.self, Event.self, make),
      input: { (carried: CarriedFormInput<Event>) in carried.input(of: State.self) })
    core.serve(form, admission.machine, isolation: isolation)
    return admission
  }

  @usableFromInline
  func admitReflected<State: Sendable, Event: Sendable>(
    _ form: StateForm<State, Event>, as name: String, _ outputs: Outputs<State>,
    isolation: isolated (any Actor)?
  ) -> Admission<State, CarriedFormInput<Event>>? {
    guard let core, core.isFree(form.kernel) else { return nil }
    let admission = core.admit(
      name, form.kernel, ReflectedForm<State, Event>(outputs: outputs),
      .form(State.self, Event.self, nil), encoding: .reflected,
      input: { (carried: CarriedFormInput<Event>) in carried.input(of: State.self) })
    core.serve(form, admission.machine, isolation: isolation)
    return admission
  }
}

extension MachineFacts {
  /// A form: named by the type that makes it, else by its state.
  static func form(
    _ state: Any.Type, _ event: Any.Type, _ make: (any Replayable.Type)?
  ) -> MachineFacts {
    MachineFacts(
      kind: MachineKind.form.rawValue, type: make ?? state, make: make.map(makeExpression),
      eventType: event == Never.self ? nil : event)
  }

  /// The Swift expression that makes a machine.
  static func makeExpression(_ type: any Replayable.Type) -> String {
    "\(SchemaTypes.name(of: type)).make()"
  }
}

/// How a form appears whose types are not Codable: the words of a form, the values by reflection.
struct ReflectedForm<State, Event>: MachineAppearance, Sendable {
  typealias Input = FormInput<State, Event>

  private let values: ReflectedAppearance<State, Event>
  /// Writes what is not an event; it never sees one.
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
