public import Replaying
public import StatesCore

/// Replays a recorded timeline with the current code, and fails at the first entry that differs.
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
/// Looks for the file next to the test's source, then in the resources of the test's bundle, unless
/// the path is absolute. The file is a `.timeline` file or its `.json` form.
///
/// With `STATES_RERECORD=1` in the environment the test does not fail: it replaces a file whose
/// entries differ.
///
/// `fixture` is the file's name, and `type` the machine's state. `comparison` chooses the values to
/// compare after each event (default: the outputs), and `acceptance` the entry from which
/// differences are accepted.
///
/// With `conditions`, the test checks these instead of the recorded values, so that it fails until a
/// recorded failure is fixed. Pass a comparison, too, to check both.
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

/// Replays a recorded timeline with the machine that a type makes; see
/// `replay(_:as:comparing:accepting:)`.
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

/// Replays a recorded timeline with a class's dispatcher, without an object; see
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

/// Replays a recorded timeline with the machine that an expression makes; see
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

/// Replays a recorded timeline from its beginning with a new object, including the closures of its
/// states; see `replay(_:as:comparing:accepting:)`.
///
/// The object's type lists the states that can be applied as `dispatchable`.
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
    Fixture(fixture, nextTo: place.filePath), replayer, comparison, acceptance, conditions, place)
}

func replay(
  _ fixture: Fixture, _ replayer: any Replayer, _ comparison: ReplayComparison?,
  _ acceptance: ReplayAcceptance, _ conditions: [ReplayCondition], _ place: Place
) throws -> ReplayReport {
  var run = try FixtureReplay(
    fixture, replayer, comparison, acceptance, expecting: conditions, place)
  return try run.run()
}

/// The recorded values that a replay compares.
public struct ReplayComparison: Hashable, Sendable {
  enum Kind: Hashable {
    case outputs, state, final
    case paths([String])
  }

  let kind: Kind

  /// The outputs after each event; also the state, if the machine does not declare outputs.
  public static let outputs = ReplayComparison(kind: .outputs)
  /// The state and the outputs after each event.
  public static let state = ReplayComparison(kind: .state)
  /// The state and the outputs after the last event.
  public static let final = ReplayComparison(kind: .final)
  /// The values at some paths after each event. Paths begin with `/state` or `/outputs`.
  public static func paths(_ paths: String...) -> ReplayComparison {
    ReplayComparison(kind: .paths(paths))
  }
}

/// The entry from which differences are accepted.
public enum ReplayAcceptance: Hashable, Sendable {
  /// No difference is accepted.
  case nothing
  /// Differences from this seq on are accepted. The failure's text has the seq.
  case from(Int)
}

/// The result of a replay that did not fail.
public struct ReplayReport: Hashable, Sendable {
  /// The number of entries.
  public internal(set) var entries = 0
  /// The number of entries that match the recording.
  public internal(set) var same = 0
  /// The number of entries that could not be compared, because their state was not captured or
  /// depends on stand-ins.
  public internal(set) var inconclusive = 0
  /// The number of accepted differences.
  public internal(set) var accepted = 0
  /// The entry at which the recorded app trapped, which is skipped.
  public internal(set) var trapped: Int?
  /// Whether the file was replaced with a new recording.
  public internal(set) var isRerecorded = false
}
