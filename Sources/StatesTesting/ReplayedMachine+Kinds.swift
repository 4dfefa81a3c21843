internal import JSONCore
public import Replaying
public import StatesCore
internal import Timelines

extension ReplayedMachine {
  /// A machine of a `Reducible` state.
  ///
  /// It begins with `state`, which the entry with the seq `entry` has.
  public convenience init<State: Reducible & Codable>(
    reducible type: State.Type, from state: RecordedValue, entry: Int = 0
  ) throws where State.Event == Event, Event: Codable {
    try self.init(
      Replay(reducible: type).makeReplayer(), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A function from state and event to state; a fresh one without a state.
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> RecordedReducer<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A machine of a `Reducible` state that an expression makes; a fresh one without a state.
  public convenience init<State: Reducible & Codable>(
    making machine: @autoclosure () throws -> Machine<State>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where State.Event == Event, Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A form; a fresh one without a state.
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> StateForm<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try FormWords.wrapped(CanonicalEncoder().encode($0)) })
  }

  /// A run of a feedback system, without its effects; a fresh one without a state.
  public convenience init<State: Codable & Sendable>(
    making machine: @autoclosure () throws -> FeedbackSystem<State, Event>,
    from state: RecordedValue? = nil, outputs: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable & Sendable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: outputs, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A chart; a fresh one without a state.
  public convenience init<Value: Codable>(
    making machine: @autoclosure () throws -> Statechart<Value>,
    from state: RecordedValue? = nil, outputs: RecordedValue? = nil, entry: Int = 0
  ) throws where Event == ChartMessage {
    try self.init(
      Self.replayer(machine()), from: state, outputs: outputs, entry: Int64(entry),
      encode: { message in
        try Self.message(
          message.name, message.payload.map { RecordedValue(try JSON(parsing: encoded($0))) })
      })
  }

  /// The dispatcher of a class, without an object: what is applied to it is taken from the test.
  public convenience init<Object: Dispatching>(
    functional type: Object.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event == DispatcherEvent<FunctionalArguments> {
    try self.init(
      Replay(functional: type).makeReplayer(), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A fresh object, whose states are applied as they were recorded, with their closures.
  ///
  /// Its type lists the states that may be applied as `dispatchable`. Transitions end when the test
  /// says so.
  public convenience init<Object: Stateful>(
    running object: Object
  ) throws where Event == DispatcherEvent<FunctionalArguments> {
    try self.init(
      ModelReplayer(ObjectModel(object)), from: nil, outputs: nil, entry: 0,
      encode: { try CanonicalEncoder().encode($0) })
  }

  private static func replayer<Made: ReplayableMachine>(
    _ machine: Made
  ) throws(ReplayError) -> any Replayer {
    ModelReplayer(try machine.makeModel())
  }
}

private func encoded(_ value: some Encodable) throws -> [UInt8] {
  try CanonicalEncoder().encode(value)
}

// One initialiser for each kind that a `Replayable` type may make, so that the events are typed.
extension ReplayedMachine {
  /// A form that a type makes; a fresh one without a state.
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == StateForm<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// A function from state and event to state that a type names; a fresh one without a state.
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == RecordedReducer<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// A machine of a `Reducible` state that a type makes; a fresh one without a state.
  public convenience init<Source: Replayable, State: Reducible & Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == Machine<State>, State.Event == Event, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// A run of a feedback system that a type makes; a fresh one without a state.
  public convenience init<Source: Replayable, State: Codable & Sendable>(
    of source: Source.Type, from state: RecordedValue? = nil, outputs: RecordedValue? = nil,
    entry: Int = 0
  ) throws where Source.Replayed == FeedbackSystem<State, Event>, Event: Codable & Sendable {
    try self.init(making: source.make(), from: state, outputs: outputs, entry: entry)
  }

  /// A chart that a type makes; a fresh one without a state.
  public convenience init<Source: Replayable, Value: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, outputs: RecordedValue? = nil,
    entry: Int = 0
  ) throws where Source.Replayed == Statechart<Value>, Event == ChartMessage {
    try self.init(making: source.make(), from: state, outputs: outputs, entry: entry)
  }
}
