import Replaying
public import StatesCore

extension StateRecorder {
  /// The same function, recorded: for reducers of the shape of The Composable Architecture, with
  /// effects that are values.
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
  /// A whole feature is recorded as
  /// `Reduce(recorder.wrap(into: Feature().reduce(into:action:), as: "feature"))`; its effects are
  /// closures, which no recording holds. One function is one machine: where several stores run the
  /// same reducer, wrap it once for each.
  public func wrap<
    State: Encodable & Sendable, Action: Sendable, Effect: Encodable & Sendable
  >(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    let site = CallSite(file: file, line: line)
    guard
      let tap: FunctionTap<State, Performed<Action>> = makePerformedTap(
        name, outputs, showsEffects: true, encoding: .codable, at: site, { $0 })
    else { return reduce }
    return { (state: inout State, action: Action) -> Effect in
      tap.change(&state, Performed(event: action, effects: [])) { state in
        reduce(&state, action)
      } completing: { effect in
        Performed(event: action, effects: [effect])
      }
    }
  }

  /// The same function, recorded: for effects that are no values, which are passed on and not seen.
  @_disfavoredOverload
  public func wrap<State: Encodable & Sendable, Action: Sendable, Effect>(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    passing(
      reduce,
      makePerformedTap(
        name, outputs, showsEffects: false, encoding: .codable,
        at: CallSite(file: file, line: line)
      ) { $0 })
  }

  /// The same function, recorded: for a state that is not Codable, by reflection.
  @_disfavoredOverload
  public func wrap<State: Sendable, Action: Sendable, Effect>(
    into reduce: @escaping (inout State, Action) -> Effect, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Action) -> Effect {
    passing(
      reduce,
      makePerformedTap(
        name, outputs, showsEffects: false, encoding: .reflected,
        at: CallSite(file: file, line: line)
      ) { Reflected($0) })
  }

  private func passing<State: Sendable, Action: Sendable, Effect>(
    _ reduce: @escaping (inout State, Action) -> Effect,
    _ tap: FunctionTap<State, Performed<Action>>?
  ) -> (inout State, Action) -> Effect {
    guard let tap else { return reduce }
    return { (state: inout State, action: Action) -> Effect in
      tap.change(&state, Performed(event: action, effects: [])) { state in
        reduce(&state, action)
      }
    }
  }
}
