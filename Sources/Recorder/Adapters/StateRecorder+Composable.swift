public import Replaying
public import StatesCore

extension StateRecorder {
  /// Records a reducer like one of The Composable Architecture, whose effects are values.
  ///
  /// ```swift
  /// enum Effect: Encodable, Sendable { case none, load(Int) }
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   into: { (state: inout [Int], action: Int) -> Effect in
  ///     state.append(action)
  ///     return .load(action)
  ///   }, as: "list")
  /// var list: [Int] = []
  /// _ = reduce(&list, 1)
  /// ```
  /// Call it once for each store, not in a `body` that is evaluated for each action. For The
  /// Composable Architecture itself, use `recorded(by:as:)` from
  /// `Integrations/ComposableArchitecture`.
  ///
  /// To support branches and replays, pass as `make` a type that makes an `EffectfulReducer`.
  public func wrap<
    State: Encodable & Sendable, Action: Sendable, Effect: Encodable & Sendable
  >(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), make: make, showsEffects: true)
    guard
      let tap: FunctionTap<State, Performed<Action>> = makePerformedTap(facts, outputs, { $0 })
    else { return reduce }
    return { (state: inout State, action: Action) -> Effect in
      tap.change(&state, Performed(event: action)) { state in
        reduce(&state, action)
      } completing: { effect in
        Performed(event: action, effects: [effect])
      }
    }
  }

  /// Records a reducer whose effects are closures. They are returned to the caller, and not
  /// recorded.
  ///
  /// To support branches and replays, pass as `make` a type that makes a `RecordedReducer`.
  @_disfavoredOverload
  public func wrap<State: Encodable & Sendable, Action: Sendable, Effect>(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    let facts = PerformedFacts(name: name, site: CallSite(file: file, line: line), make: make)
    return passing(reduce, makePerformedTap(facts, outputs) { $0 })
  }

  /// Records a reducer whose state is not Codable, by reflection.
  @_disfavoredOverload
  public func wrap<State: Sendable, Action: Sendable, Effect>(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), isReflected: true)
    return passing(reduce, makePerformedTap(facts, outputs) { Reflected($0) })
  }

  private func passing<State: Sendable, Action: Sendable, Effect>(
    _ reduce: @escaping (inout State, Action) -> Effect,
    _ tap: FunctionTap<State, Performed<Action>>?
  ) -> (inout State, Action) -> Effect {
    guard let tap else { return reduce }
    return { (state: inout State, action: Action) -> Effect in
      tap.change(&state, Performed(event: action)) { state in
        reduce(&state, action)
      }
    }
  }
}
