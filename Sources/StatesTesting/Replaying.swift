public import Replaying
public import StatesCore

/// Replays a recorded timeline on today's code, and fails at the first entry that comes out in
/// another way.
///
/// ```swift
/// struct Checkout: Reducible, Codable {
///   var items: [String] = []
///   enum Event: Codable { case added(String) }
///   static func reduce(state: Checkout, event: Event) -> Checkout { state }
/// }
/// func checkoutReplays() throws {
///   try replay("checkout.timeline", as: Checkout.self)
/// }
/// ```
///
/// The file is looked for beside the source of the test, then in the resources of the test's bundle;
/// a path from the root is taken as it is. It is a `.timeline` file, or a `.json` of the same.
///
/// With `STATES_RERECORD=1` in the environment nothing fails: a file whose entries come out in
/// another way is replaced by what comes out today.
///
/// `fixture` is the file's name, and `type` the machine's state; `comparison` says what is compared
/// after each event (default: the outputs), and `acceptance` from where on differences are meant.
///
/// With `conditions` the test checks these instead of the recorded values: it fails until a recorded
/// failure is fixed, and passes then. Give a comparison too to check both.
@discardableResult
public func replay<State: Reducible & Codable>(
  _ fixture: String, as type: State.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport where State.Event: Decodable {
  try replay(
    fixture, Replay(reducible: type).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a recorded timeline of a machine that a type makes; see `replay(_:as:comparing:accepting:)`.
@_disfavoredOverload
@discardableResult
public func replay<Source: Replayable>(
  _ fixture: String, as source: Source.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport where Source.Replayed: ReplayableMachine {
  try replay(
    fixture, Replay(of: source).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a recorded timeline of a class's dispatcher, without an object; see
/// `replay(_:as:comparing:accepting:)`.
@_disfavoredOverload
@discardableResult
public func replay<Object: Dispatching>(
  _ fixture: String, as type: Object.Type, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    fixture, Replay(functional: type).makeReplayer(), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a recorded timeline of a machine that an expression makes; see
/// `replay(_:as:comparing:accepting:)`.
@discardableResult
public func replay<Made: ReplayableMachine>(
  _ fixture: String, making machine: @autoclosure () throws -> Made,
  comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    fixture, ModelReplayer(machine().makeModel()), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

/// Replays a recorded timeline of an object from its beginning on a fresh one, with the closures of
/// its states; see `replay(_:as:comparing:accepting:)`.
///
/// Its type lists the states that may be applied as `dispatchable`.
@discardableResult
public func replay<Object: Stateful>(
  _ fixture: String, running object: Object, comparing comparison: ReplayComparison? = nil,
  accepting acceptance: ReplayAcceptance = .nothing, expecting conditions: ReplayCondition...,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) throws -> ReplayReport {
  try replay(
    fixture, ModelReplayer(ObjectModel(object)), comparison, acceptance, conditions,
    Place(fileID, filePath, line, column))
}

private func replay(
  _ fixture: String, _ replayer: any Replayer, _ comparison: ReplayComparison?,
  _ acceptance: ReplayAcceptance, _ conditions: [ReplayCondition], _ place: Place
) throws -> ReplayReport {
  try replay(
    Fixture(fixture, besides: place.filePath), replayer, comparison, acceptance, conditions, place)
}

func replay(
  _ fixture: Fixture, _ replayer: any Replayer, _ comparison: ReplayComparison?,
  _ acceptance: ReplayAcceptance, _ conditions: [ReplayCondition], _ place: Place
) throws -> ReplayReport {
  var run = try FixtureReplay(
    fixture, replayer, comparison, acceptance, expecting: conditions, place)
  return try run.run()
}

/// What of a recording is compared with what comes out today.
public struct ReplayComparison: Hashable, Sendable {
  enum Kind: Hashable {
    case outputs, state, final
    case paths([String])
  }

  let kind: Kind

  /// The outputs after each event; of a machine for which nobody declared any, the state, too.
  public static let outputs = ReplayComparison(kind: .outputs)
  /// The state and the outputs after each event.
  public static let state = ReplayComparison(kind: .state)
  /// The state and the outputs after the last event.
  public static let final = ReplayComparison(kind: .final)
  /// The values at some paths after each event; the paths begin with `/state` or `/outputs`.
  public static func paths(_ paths: String...) -> ReplayComparison {
    ReplayComparison(kind: .paths(paths))
  }
}

/// From where on differences are meant.
public enum ReplayAcceptance: Hashable, Sendable {
  /// None is.
  case nothing
  /// All are from that entry on: its seq is in the failure's text.
  case from(Int)
}

/// What came of a replay that did not fail.
public struct ReplayReport: Hashable, Sendable {
  /// How many entries there are.
  public internal(set) var entries = 0
  /// How many came out as recorded.
  public internal(set) var same = 0
  /// How many could not be told: their state was not captured, or what differs depends on stand-ins.
  public internal(set) var inconclusive = 0
  /// How many differ, and are accepted.
  public internal(set) var accepted = 0
  /// The entry at which the app trapped when it was recorded, which is not run.
  public internal(set) var trapped: Int?
  /// Whether the file was replaced by what comes out today.
  public internal(set) var isRecordedAnew = false
}
