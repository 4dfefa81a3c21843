internal import JSONCore
public import Replaying
public import StatesCore
internal import Timelines

extension ReplayedMachine {
  /// Creates a machine with a `Reducible` state.
  ///
  /// `state` is the state of the entry with the seq `entry`.
  public convenience init<State: Reducible & Codable>(
    reducible type: State.Type, from state: RecordedValue, entry: Int = 0
  ) throws where State.Event == Event, Event: Codable {
    try self.init(
      Replay(reducible: type).makeReplayer(), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from a reducer function (default state: the initial one).
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> RecordedReducer<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from an expression with a `Reducible` state (default state: the initial one).
  public convenience init<State: Reducible & Codable>(
    making machine: @autoclosure () throws -> Machine<State>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where State.Event == Event, Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from a form (default state: the initial one).
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> StateForm<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try FormWords.wrapped(CanonicalEncoder().encode($0)) })
  }

  /// Creates a machine from a feedback system, without its effects (default state: the initial one).
  public convenience init<State: Codable & Sendable>(
    making machine: @autoclosure () throws -> FeedbackSystem<State, Event>,
    from state: RecordedValue? = nil, outputs: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable & Sendable {
    try self.init(
      Self.replayer(machine()), from: state, outputs: outputs, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from a chart (default state: the initial one).
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

  /// Creates a machine from the dispatcher of a class, without an object. The test applies its states.
  public convenience init<Object: Dispatching>(
    functional type: Object.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event == DispatcherEvent<FunctionalArguments> {
    try self.init(
      Replay(functional: type).makeReplayer(), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from a new object. Its states are applied as recorded, with their closures.
  ///
  /// Its type lists the states that can be applied as `dispatchable`. The test ends transitions with
  /// `complete(_:finished:)`.
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

// One initializer for each kind of machine a `Replayable` type can make, so that events are typed.
extension ReplayedMachine {
  /// Creates a machine from a type whose `make()` returns a form (default state: the initial one).
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == StateForm<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// Creates a machine from a type whose `make()` returns a reducer function (default state: the
  /// initial one).
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == RecordedReducer<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// Creates a machine from a type whose `make()` returns a machine with a `Reducible` state (default
  /// state: the initial one).
  public convenience init<Source: Replayable, State: Reducible & Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == Machine<State>, State.Event == Event, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }

  /// Creates a machine from a type whose `make()` returns a feedback system (default state: the
  /// initial one).
  public convenience init<Source: Replayable, State: Codable & Sendable>(
    of source: Source.Type, from state: RecordedValue? = nil, outputs: RecordedValue? = nil,
    entry: Int = 0
  ) throws where Source.Replayed == FeedbackSystem<State, Event>, Event: Codable & Sendable {
    try self.init(making: source.make(), from: state, outputs: outputs, entry: entry)
  }

  /// Creates a machine from a type whose `make()` returns a chart (default state: the initial one).
  public convenience init<Source: Replayable, Value: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, outputs: RecordedValue? = nil,
    entry: Int = 0
  ) throws where Source.Replayed == Statechart<Value>, Event == ChartMessage {
    try self.init(making: source.make(), from: state, outputs: outputs, entry: entry)
  }
}
