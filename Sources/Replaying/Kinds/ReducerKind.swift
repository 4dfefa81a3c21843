public import JSONCore
public import StatesCore
public import Timelines

/// A machine with a reducer that another library calls: names it, so that it can be recorded and run
/// again.
///
/// ```swift
/// enum Cart: Replayable {
///   static func make() -> RecordedReducer<[String], String> {
///     RecordedReducer(first: []) { (state: [String], event: String) in state + [event] }
///   }
/// }
/// assert(Replay(of: Cart.self).kind == .reducer)
/// ```
public struct RecordedReducer<State, Event> {
  /// The initial state; `nil` if only a recording has one.
  public let first: State?
  /// The outputs of a state.
  public let outputs: Outputs<State>
  /// The reducer.
  public let reduce: (State, Event) -> State
  /// The reducer, with what it returned besides the state, if it returns anything.
  let step: (State, Event) -> (State, Any?)

  /// Creates a machine from its parts.
  public init(
    first: State?, outputs: Outputs<State> = Outputs([]),
    reduce: @escaping (State, Event) -> State
  ) {
    self.first = first
    self.outputs = outputs
    self.reduce = reduce
    step = { (reduce($0, $1), nil) }
  }

  /// Creates a machine whose reducer also returns an answer.
  init(
    first: State?, outputs: Outputs<State>, step: @escaping (State, Event) -> (State, Any?)
  ) {
    self.first = first
    self.outputs = outputs
    self.step = step
    reduce = { step($0, $1).0 }
  }
}

extension RecordedReducer: ReplayableMachine where State: Codable, Event: Decodable {
  /// The kind of reducers.
  public static var kind: MachineKind { .reducer }

  /// Creates a model that runs the reducer.
  public func makeModel() throws(ReplayError) -> ReducerModel<State, Event> {
    ReducerModel(first: first, outputs: outputs, step: step)
  }
}

/// How a reducer appears: encoded states and events.
///
/// ```swift
/// let appearance = ReducerAppearance<[Int], Int>(outputs: Outputs([Output("count", \.count)]))
/// assert(appearance.outputs(of: [1, 2], after: 2).map(\.name) == ["count"])
/// ```
public struct ReducerAppearance<State: Encodable, Event: Encodable>: MachineAppearance, Sendable {
  /// The events of the reducer.
  public typealias Input = Event

  private let states: StateOutputs<State>

  /// Creates an appearance (default: without outputs).
  public init(outputs: Outputs<State> = Outputs([])) {
    states = StateOutputs(outputs)
  }

  /// The given outputs.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: Event?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The encoded event.
  public func event(_ input: Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

/// Runs a reducer: of a `Reducible` state, of a feedback system, or of another library.
///
/// ```swift
/// var model = ReducerModel(first: 1, outputs: Outputs([])) { (state: Int, event: Int) in
///   state + event
/// }
/// _ = model.handle(2)
/// assert(model.state == 3)
/// ```
public struct ReducerModel<State: Codable, Event: Decodable>: MachineModel {
  private let step: (State, Event) -> (State, Any?)
  private let declared: StateOutputs<State>
  private let first: State?
  private var current: State?
  /// What the reducer returned for the last event besides the state.
  private var answer: Any?
  private let typeName: String

  /// Creates a model that starts with `first`; without it, `restore` must set a state.
  public init(
    first: State?, outputs: Outputs<State>, _ reduce: @escaping (State, Event) -> State
  ) {
    self.init(first: first, outputs: outputs, step: { (reduce($0, $1), nil) })
  }

  init(
    first: State?, outputs: Outputs<State>, step: @escaping (State, Event) -> (State, Any?)
  ) {
    self.first = first
    self.step = step
    declared = StateOutputs(outputs)
    current = first
    typeName = SchemaTypes.name(of: State.self)
  }

  /// The current state.
  ///
  /// - Precondition: The model has a state.
  public var state: State {
    guard let current else { preconditionFailure("give the model a state before asking for it") }
    return current
  }

  /// The outputs that have a value.
  public var outputs: [RecordedOutput] { declared.values(in: state) }

  /// The declared outputs.
  public var outputKinds: [Header.Output] { declared.kinds }

  /// Sets the initial state.
  public mutating func start() throws(ReplayError) {
    guard let first else { throw ReplayError(.noFirstState(type: typeName)) }
    current = first
    answer = nil
  }

  /// Decodes an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    try decodeEvent(from: event)
  }

  /// Whether the last event started an effect, if the reducer says so. Computed only for tests, which
  /// ask for it.
  public var startedEffect: Bool? { answer.flatMap { ReturnedEffect.starts($0) } }

  /// Computes the next state.
  public mutating func handle(_ event: Event) -> String? {
    (current, answer) = step(state, event)
    return nil
  }

  /// Sets a recorded state.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    current = try decodeState(from: state)
    answer = nil
  }
}
