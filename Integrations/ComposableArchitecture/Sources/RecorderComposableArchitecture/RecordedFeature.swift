public import ComposableArchitecture
public import Recorder
public import Replaying
public import StatesCore

extension Reducer where State: Encodable & Sendable, Action: Sendable {
  /// Records every action and the state after it. Effects are passed through.
  ///
  /// Attach it where you create the store, or anywhere in a `body`: each store has one timeline.
  ///
  /// ```swift
  /// Store(initialState: Counter.State()) {
  ///   Counter().recorded(by: recorder, as: "counter")
  /// }
  /// ```
  /// - Parameters:
  ///   - recorder: The recorder, which the app keeps.
  ///   - name: The name of the machine. Further stores get a number appended.
  ///   - outputs: The values that views derive from the state.
  ///   - make: The type that makes the feature for replays. Not needed for a ``ReplayableFeature``.
  public func recorded(
    by recorder: StateRecorder, as name: String, outputs: Outputs<State>? = nil,
    madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> RecordedFeature<Self> {
    let feature = Self.self as? any ReplayableFeature.Type
    let declared: Outputs<State>? = if let feature { outputsOf(feature) } else { nil }
    let recordings = recorder.storeRecordings(
      of: State.self, Action.self, as: name, outputs: outputs ?? declared ?? Outputs([]),
      madeBy: make ?? feature, file: file, line: line)
    return RecordedFeature(base: self, recordings: recordings)
  }
}

extension Reducer where State: Sendable, Action: Sendable {
  /// Records a feature whose state is not `Codable`, by reflection: you can inspect it, but not
  /// replay it.
  public func recorded(
    by recorder: StateRecorder, as name: String, outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> RecordedFeature<Self> {
    RecordedFeature(
      base: self,
      recordings: recorder.storeRecordings(
        of: State.self, Action.self, as: name, outputs: outputs, file: file, line: line))
  }
}

/// A reducer that is recorded; see `recorded(by:as:)`.
public struct RecordedFeature<Base: Reducer>: Reducer
where Base.State: Sendable, Base.Action: Sendable {
  let base: Base
  /// Nil when nothing is recorded.
  let recordings: StoreRecordings<Base.State, Base.Action>?

  /// Runs the reducer and records the step.
  public func _reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    guard let recordings else { return base._reduce(into: &state, action: action) }
    return recordings.reduce(&state, action, in: .current) { state in
      base._reduce(into: &state, action: action)
    }
  }
}

private func outputsOf<Feature: ReplayableFeature, State>(
  _ feature: Feature.Type
) -> Outputs<State>? {
  Feature.outputs as? Outputs<State>
}
