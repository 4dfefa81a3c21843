public import JSONCore
public import StatesCore
public import Timelines

/// A machine with a reducer that also returns effects: names it, so that it can be recorded and run
/// again.
///
/// A replay compares the effects with the recorded ones, without performing them. If the effects are
/// closures, which cannot be recorded, use ``RecordedReducer``.
///
/// ```swift
/// enum Effect: Codable { case save(Int) }
/// enum Counter: Replayable {
///   static func make() -> EffectfulReducer<Int, Int> {
///     EffectfulReducer(first: 0, into: { (count: inout Int, by: Int) -> Effect in
///       count += by
///       return .save(count)
///     })
///   }
/// }
/// assert(Replay(of: Counter.self).kind == .reducer)
/// ```
public struct EffectfulReducer<State, Event> {
  /// The initial state; `nil` if only a recording has one.
  public let first: State?
  /// The outputs of a state.
  public let outputs: Outputs<State>
  /// Changes the state and returns the effects.
  let reduce: (inout State, Event) -> [Any]

  /// Creates a machine from a function that changes the state in place and returns one effect.
  public init<Effect>(
    first: State?, outputs: Outputs<State> = Outputs([]),
    into reduce: @escaping (inout State, Event) -> Effect
  ) {
    self.first = first
    self.outputs = outputs
    self.reduce = { [reduce(&$0, $1)] }
  }

  /// Creates a machine from a function that returns the next state, or `nil` for no change, and
  /// effects.
  ///
  /// `model` and `effects` extract both from the function's result.
  public init<Next, Effects: Sequence>(
    first: State?, outputs: Outputs<State> = Outputs([]),
    update: @escaping (State, Event) -> Next, model: @escaping (Next) -> State?,
    effects: @escaping (Next) -> Effects
  ) {
    self.first = first
    self.outputs = outputs
    reduce = { state, event in
      let next = update(state, event)
      if let changed = model(next) { state = changed }
      return effects(next).map { $0 }
    }
  }
}

extension EffectfulReducer: ReplayableMachine where State: Codable, Event: Decodable {
  /// The kind of reducers.
  public static var kind: MachineKind { .reducer }

  /// Creates a model that runs the function without performing effects.
  public func makeModel() throws(ReplayError) -> EffectfulModel<State, Event> {
    EffectfulModel(self)
  }
}

extension RecordedReducer {
  /// Creates a machine from a function that changes its state in place. A test uses the result to see
  /// whether an effect started.
  ///
  /// Disfavored, so that a trailing closure still is `reduce`.
  @_disfavoredOverload
  public init<Answer>(
    first: State?, outputs: Outputs<State> = Outputs([]),
    inPlace reduce: @escaping (inout State, Event) -> Answer
  ) {
    self.init(
      first: first, outputs: outputs,
      step: { state, event in
        var next = state
        let answer = reduce(&next, event)
        return (next, .some(answer))
      })
  }
}

/// Runs a reducer that returns effects.
///
/// ```swift
/// let reducer = EffectfulReducer(first: 1, into: { (state: inout Int, event: Int) -> String in
///   state += event
///   return "save"
/// })
/// var model = try reducer.makeModel()
/// try model.start()
/// _ = model.handle(2)
/// assert(model.state == 3 && model.outputs.map(\.name) == ["effects"])
/// ```
public struct EffectfulModel<State: Codable, Event: Decodable>: MachineModel {
  private let reducer: EffectfulReducer<State, Event>
  private let declared: StateOutputs<State>
  private var current: State?
  /// The effects of the last event.
  private var effects: [Any] = []

  init(_ reducer: EffectfulReducer<State, Event>) {
    self.reducer = reducer
    declared = StateOutputs(reducer.outputs)
    current = reducer.first
  }

  /// False, because the effects belong to an event, not to a state.
  public static var outputsFollowFromState: Bool { false }

  /// The current state.
  ///
  /// - Precondition: The model has a state.
  public var state: State {
    guard let current else { preconditionFailure("give the model a state before asking for it") }
    return current
  }

  /// The declared outputs, and the effects of the last event.
  public var outputs: [RecordedOutput] {
    declared.values(in: state) + RecordedEffects.outputs(effects)
  }

  /// The declared outputs, and the effects.
  public var outputKinds: [Header.Output] { declared.kinds + [RecordedEffects.kind] }

  /// Sets the initial state.
  public mutating func start() throws(ReplayError) {
    guard let first = reducer.first else {
      throw ReplayError(.noFirstState(type: SchemaTypes.name(of: State.self)))
    }
    current = first
    effects = []
  }

  /// Decodes an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    try decodeEvent(from: event)
  }

  /// Computes the next state and the effects.
  public mutating func handle(_ event: Event) -> String? {
    var next = state
    // Otherwise each event would copy the state.
    current = nil
    effects = reducer.reduce(&next, event)
    current = next
    return nil
  }

  /// Sets a recorded state.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    current = try decodeState(from: state)
    effects = []
  }

  /// Whether the last event had effects.
  public var startedEffect: Bool? { ReturnedEffect.starts(effects) }
}

/// The effects of an event as an output, in recordings and in hosts.
package enum RecordedEffects {
  /// The output for the header.
  package static var kind: Header.Output {
    Header.Output("effects", kind: OutputUse.data.rawValue)
  }

  /// The output with these effects; empty without effects.
  package static func outputs(_ effects: [Any]) -> [RecordedOutput] {
    effects.isEmpty ? [] : [RecordedOutput("effects", effects.map { RecordedAny($0) })]
  }
}

/// A value that encodes itself if possible, and by reflection otherwise.
package struct RecordedAny: Encodable {
  private let value: Any

  package init(_ value: Any) {
    self.value = value
  }

  package func encode(to encoder: any Encoder) throws {
    guard let value = value as? any Encodable else {
      return try Reflected<Any>(value).encode(to: encoder)
    }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
