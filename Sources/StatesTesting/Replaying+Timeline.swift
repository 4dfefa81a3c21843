public import Replaying
public import StatesCore
public import Timelines

/// Replays a timeline in memory with the current code, such as one from a `MemorySink`.
///
/// Compares it like `replay(_:as:comparing:accepting:)` compares a file. `STATES_RERECORD` has no
/// effect, because there is no file to replace.
///
/// ```swift
/// import Timelines
///
/// struct Counter: Reducible, Codable {
///   var count = 0
///   enum Event: Codable { case increased }
///   static func reduce(state: Counter, event: Event) -> Counter { Counter(count: state.count + 1) }
/// }
/// func replays(_ recorded: Timeline) throws {
///   try replay(recorded, as: Counter.self)
/// }
/// ```
@discardableResult
public func replay<State: Reducible & Codable>(
  _ timeline: Timeline, as type: State.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport where State.Event: Decodable {
  try replay(
    Fixture(timeline), Replay(reducible: type).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a timeline in memory with the machine that a type makes; see
/// `replay(_:as:comparing:accepting:)`.
@_disfavoredOverload
@discardableResult
public func replay<Source: Replayable>(
  _ timeline: Timeline, as source: Source.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport where Source.Replayed: ReplayableMachine {
  try replay(
    Fixture(timeline), Replay(of: source).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a timeline in memory with a class's dispatcher, without an object; see
/// `replay(_:as:comparing:accepting:)`.
@_disfavoredOverload
@discardableResult
public func replay<Object: Dispatching>(
  _ timeline: Timeline, as type: Object.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    Fixture(timeline), Replay(functional: type).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a timeline in memory with the machine that an expression makes; see
/// `replay(_:as:comparing:accepting:)`.
@discardableResult
public func replay<Made: ReplayableMachine>(
  _ timeline: Timeline, making machine: @autoclosure () throws -> Made,
  comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    Fixture(timeline), ModelReplayer(machine().makeModel()), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a timeline in memory from its beginning with a new object, including the closures of its
/// states; see `replay(_:as:comparing:accepting:)`.
///
/// The object's type lists the states that can be applied as `dispatchable`.
@discardableResult
public func replay<Object: Stateful>(
  _ timeline: Timeline, running object: Object, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    Fixture(timeline), ModelReplayer(ObjectModel(object)), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}
