import Replaying
public import StatesCore

extension StateRecorder {
  /// The same function, recorded: for reducers of ReSwift's shape, whose first call has no state.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   reSwift: { (action: Int, state: [Int]?) -> [Int] in (state ?? []) + [action] }, as: "list")
  /// assert(reduce(2, reduce(1, nil)) == [1, 2])
  /// ```
  /// An action that is not Codable is recorded by reflection. A store keeps one such function:
  /// `Store(reducer: recorder.wrap(reSwift: appReducer, as: "app"), state: nil)`.
  public func wrap<State: Encodable & Sendable, Action: Sendable>(
    reSwift reduce: @escaping (Action, State?) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Action, State?) -> State {
    following(
      reduce,
      makePerformedTap(
        name, outputs, showsEffects: false, encoding: .codable,
        at: CallSite(file: file, line: line)
      ) { $0 })
  }

  /// The same function, recorded by reflection: for a state that is not Codable.
  @_disfavoredOverload
  public func wrap<State: Sendable, Action: Sendable>(
    reSwift reduce: @escaping (Action, State?) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Action, State?) -> State {
    following(
      reduce,
      makePerformedTap(
        name, outputs, showsEffects: false, encoding: .reflected,
        at: CallSite(file: file, line: line)
      ) { Reflected($0) })
  }

  private func following<State: Sendable, Action: Sendable>(
    _ reduce: @escaping (Action, State?) -> State, _ tap: FunctionTap<State, Performed<Action>>?
  ) -> (Action, State?) -> State {
    guard let tap else { return reduce }
    return { action, before in
      tap.end.begin(Performed(event: action, effects: []))
      let after = reduce(action, before)
      tap.finish(before, after)
      return after
    }
  }
}
