public import ReSwift
public import Recorder
public import Replaying
public import StatesCore

/// An action that can be decoded from a recording.
public typealias RecordedAction = Action & Codable

/// Describes a ReSwift store: its reducer, and the actions that can be replayed.
///
/// ```swift
/// enum AppRecording: RecordedStore {
///   static var actions: [any RecordedAction.Type] { [Increase.self, Screen.self] }
///   static func reduce(_ action: any Action, _ state: AppState?) -> AppState {
///     appReducer(action: action, state: state)
///   }
/// }
/// ```
public protocol RecordedStore: EventCatalog, Replayable {
  /// The state of the store.
  associatedtype State: Codable & Sendable

  /// The types of the actions.
  static var actions: [any RecordedAction.Type] { get }

  /// The values that views derive from the state. Default: none.
  static var outputs: Outputs<State> { get }

  /// The store's reducer.
  static func reduce(_ action: any Action, _ state: State?) -> State
}

extension RecordedStore {
  /// Declares no outputs.
  public static var outputs: Outputs<State> { Outputs([]) }

  /// The types of the actions.
  public static var events: [any Codable.Type] { actions.map { $0 } }

  /// Makes a reducer whose first state is the one for `ReSwiftInit`.
  public static func make() -> RecordedReducer<State, CatalogEvent<Self>> {
    // Only a store can make a `ReSwiftInit`.
    let first = Store<State>(reducer: reduce, state: nil).state
    return RecordedReducer(first: first, outputs: outputs) { state, event in
      // The catalog contains only actions.
      guard let action = event.value as? any Action else { return state }
      return reduce(action, state)
    }
  }
}

extension StateRecorder {
  /// Returns a recorded reducer, for `Store(reducer:state:)`.
  ///
  /// Call it once for each store.
  public func wrap<Recorded: RecordedStore>(
    _ store: Recorded.Type, as name: String, file: StaticString = #fileID, line: UInt32 = #line
  ) -> (any Action, Recorded.State?) -> Recorded.State {
    wrap(
      reSwift: { (action: any Action, state: Recorded.State?) in Recorded.reduce(action, state) },
      as: name, outputs: Recorded.outputs, madeBy: Recorded.self, file: file, line: line)
  }
}
