public import JSONCore
public import StatesCore
public import Timelines

/// How a `Machine` appears: state and event as they encode themselves, and the state's outputs.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
///   static var outputs: Outputs<Coin> { Output("isHeads", \.isHeads) }
/// }
/// assert(StatesAppearance<Coin>().outputKinds.map(\.kind) == ["ui"])
/// ```
public struct StatesAppearance<State: Reducible & Encodable>: MachineAppearance, Sendable
where State.Event: Encodable {
  /// The events of the state.
  public typealias Input = State.Event

  private let states = StateOutputs(State.outputs)

  /// Makes the appearance.
  public init() {}

  /// The outputs that the state declares.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: State.Event?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The event as it encodes itself.
  public func event(_ input: State.Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

/// The outputs that a state declares, as recordings have them.
struct StateOutputs<State>: Sendable {
  private let outputs: Outputs<State>

  init(_ outputs: Outputs<State>) {
    self.outputs = outputs
  }

  var kinds: [Header.Output] {
    outputs.map { Header.Output($0.name, kind: $0.use.rawValue) }
  }

  func values(in state: State) -> [RecordedOutput] {
    RecordedOutput.list(of: outputs, in: state)
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

extension Machine: ReplayableMachine where State: Codable, State.Event: Decodable {
  /// States.
  public static var kind: MachineKind { .states }

  /// Runs the reducer, beginning with the machine's state.
  public func makeModel() throws(ReplayError) -> ReducerModel<State, State.Event> {
    ReducerModel(first: state, outputs: State.outputs) { State.reduce(state: $0, event: $1) }
  }
}

extension Replay {
  /// A machine of a `Reducible` state: known by itself, but for the first state.
  ///
  /// ```swift
  /// struct Coin: Reducible, Codable {
  ///   var isHeads = true
  ///   enum Event: String, Codable { case flipped }
  ///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
  /// }
  /// assert(Replay(reducible: Coin.self).kind == .states)
  /// ```
  public init<State: Reducible & Codable>(reducible type: State.Type)
  where State.Event: Decodable {
    let name = SchemaTypes.name(of: type)
    self.init(.states, type: name, make: "\(name).self") { () throws(ReplayError) in
      ModelReplayer(
        ReducerModel<State, State.Event>(first: nil, outputs: State.outputs) {
          State.reduce(state: $0, event: $1)
        })
    }
  }
}
