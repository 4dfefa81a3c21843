internal import JSONCore
public import Replaying

extension ReplayedMachine {
  /// Creates a machine from a reducer that returns effects (default state: the initial one). Effects
  /// are not performed.
  public convenience init<State: Codable>(
    making machine: @autoclosure () throws -> EffectfulReducer<State, Event>,
    from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Event: Codable {
    try self.init(
      ModelReplayer(machine().makeModel()), from: state, outputs: nil, entry: Int64(entry),
      encode: { try CanonicalEncoder().encode($0) })
  }

  /// Creates a machine from a type whose `make()` returns a reducer with effects (default state: the
  /// initial one).
  public convenience init<Source: Replayable, State: Codable>(
    of source: Source.Type, from state: RecordedValue? = nil, entry: Int = 0
  ) throws where Source.Replayed == EffectfulReducer<State, Event>, Event: Codable {
    try self.init(making: source.make(), from: state, entry: entry)
  }
}
