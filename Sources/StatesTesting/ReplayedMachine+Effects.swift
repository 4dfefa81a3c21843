internal import JSONCore
public import Replaying

extension ReplayedMachine {
  /// A reducer that returns effects; a fresh one without a state. No effect is performed.
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> EffectfulReducer<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      ModelReplayer(machine().makeModel()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// A reducer that returns effects, made by a type; a fresh one without a state.
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == EffectfulReducer<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }
}
