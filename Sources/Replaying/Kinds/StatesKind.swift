import JSONCore
public import StatesCore
public import Timelines

/// How a `Machine` appears: encoded states and events, and the state's outputs.
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

  /// Creates the appearance.
  public init() {}

  /// The declared outputs.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: State.Event?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The encoded event.
  public func event(_ input: State.Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

extension Machine: ReplayableMachine where State: Codable, State.Event: Decodable {
  /// The kind of machines with a `Reducible` state.
  public static var kind: MachineKind { .states }

  /// Creates a model with the machine's state.
  public func makeModel() throws(ReplayError) -> ReducerModel<State, State.Event> {
    ReducerModel(first: state, outputs: State.outputs) { State.reduce(state: $0, event: $1) }
  }
}

extension Replay {
  /// Replays a machine with a `Reducible` state, whose first state must come from a recording.
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
    self.init(.states, type: name, make: "\(name).self") { (redaction) throws(ReplayError) in
      ModelReplayer(
        ReducerModel<State, State.Event>(first: nil, outputs: State.outputs) {
          State.reduce(state: $0, event: $1)
        }, redaction: redaction)
    }
  }
}
