public import ComposableArchitecture
public import Replaying
public import StatesCore

/// A feature that can be replayed: for branches, verification, and exported tests.
///
/// ```swift
/// struct Toggle: ReplayableFeature {
///   struct State: Codable, Sendable { var isOn = false }
///   enum Action: Codable, Sendable { case tapped }
///
///   var body: some Reducer<State, Action> {
///     Reduce { state, action in
///       state.isOn.toggle()
///       return .none
///     }
///   }
///
///   static func makeFeature() -> Toggle { Toggle() }
///   static var initialState: State? { State() }
/// }
/// ```
public protocol ReplayableFeature: Replayable, Reducer
where State: Codable & Sendable, Action: Codable & Sendable {
  /// Makes a fresh feature.
  static func makeFeature() -> Self

  /// The state of a fresh store; nil if it is not known in advance. Default: nil.
  static var initialState: State? { get }

  /// The values that views derive from the state. Default: none.
  static var outputs: Outputs<State> { get }

  /// Sets the dependencies that the reducer itself reads, such as `date` and `uuid`. Default: none.
  ///
  /// A replay computes the same states only with the same dependencies, so the app needs them too:
  /// `Store(initialState:reducer:withDependencies: Counter.prepareDependencies)`. A replay sets them
  /// again for each action, so choose constants, not generators that count.
  static func prepareDependencies(_ dependencies: inout DependencyValues)
}

extension ReplayableFeature {
  /// Returns nil: replays start with the recorded state.
  public static var initialState: State? { nil }

  /// Declares no outputs.
  public static var outputs: Outputs<State> { Outputs([]) }

  /// Changes nothing.
  public static func prepareDependencies(_ dependencies: inout DependencyValues) {}

  /// Makes the feature without a store: effects are created and dropped.
  public static func make() -> RecordedReducer<State, Action> {
    RecordedReducer(first: initialState, outputs: outputs) { state, action in
      withDependencies(prepareDependencies) {
        var next = state
        _ = makeFeature()._reduce(into: &next, action: action)
        return next
      }
    }
  }
}
