public import JSONCore
public import StatesCore
public import Timelines

/// A function from state and event to state that another library calls, as a machine of its own: how
/// it is named, recorded and run again.
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
  /// The state before any event; nil when only a recording can tell.
  public let first: State?
  /// The outputs of a state.
  public let outputs: Outputs<State>
  /// The function.
  public let reduce: (State, Event) -> State

  /// Names the parts of a machine.
  public init(
    first: State?, outputs: Outputs<State> = Outputs([]),
    reduce: @escaping (State, Event) -> State
  ) {
    self.first = first
    self.outputs = outputs
    self.reduce = reduce
  }
}

extension RecordedReducer: ReplayableMachine where State: Codable, Event: Decodable {
  /// A function.
  public static var kind: MachineKind { .reducer }

  /// Runs the function.
  public func makeModel() throws(ReplayError) -> ReducerModel<State, Event> {
    ReducerModel(first: first, outputs: outputs, reduce)
  }
}

/// How a function from state and event to state appears: both as they encode themselves.
///
/// ```swift
/// let appearance = ReducerAppearance<[Int], Int>(outputs: Outputs([Output("count", \.count)]))
/// assert(appearance.outputs(of: [1, 2], after: 2).map(\.name) == ["count"])
/// ```
public struct ReducerAppearance<State: Encodable, Event: Encodable>: MachineAppearance, Sendable {
  /// The events.
  public typealias Input = Event

  private let states: StateOutputs<State>

  /// Makes the appearance; there are no outputs unless some are given.
  public init(outputs: Outputs<State> = Outputs([])) {
    states = StateOutputs(outputs)
  }

  /// The outputs that were given.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: Event?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The event as it encodes itself.
  public func event(_ input: Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

/// Runs a function from state and event to state: a `Reducible` state's, a feedback system's, or one
/// that somebody else's machine calls.
///
/// ```swift
/// var model = ReducerModel(first: 1, outputs: Outputs([])) { (state: Int, event: Int) in
///   state + event
/// }
/// _ = model.handle(2)
/// assert(model.state == 3)
/// ```
public struct ReducerModel<State: Codable, Event: Decodable>: MachineModel {
  private let reduce: (State, Event) -> State
  private let declared: StateOutputs<State>
  private let first: State?
  private var current: State?
  private let typeName: String

  /// Runs `reduce`, beginning with `first`; without it, a state has to be given.
  public init(
    first: State?, outputs: Outputs<State>, _ reduce: @escaping (State, Event) -> State
  ) {
    self.first = first
    self.reduce = reduce
    declared = StateOutputs(outputs)
    current = first
    typeName = SchemaTypes.name(of: State.self)
  }

  /// The state as it is now.
  ///
  /// - Precondition: there is one.
  public var state: State {
    guard let current else { preconditionFailure("give the model a state before asking for it") }
    return current
  }

  /// The outputs that have a value.
  public var outputs: [RecordedOutput] { declared.values(in: state) }

  /// The outputs that were declared.
  public var outputKinds: [Header.Output] { declared.kinds }

  /// Takes the first state.
  public mutating func start() throws(ReplayError) {
    guard let first else { throw ReplayError(.noFirstState(type: typeName)) }
    current = first
  }

  /// Reads an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    try decodeEvent(from: event)
  }

  /// Computes the next state.
  public mutating func handle(_ event: Event) -> String? {
    current = reduce(state, event)
    return nil
  }

  /// Takes a state as given.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    current = try decodeState(from: state)
  }
}
