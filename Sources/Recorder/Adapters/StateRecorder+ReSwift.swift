public import Replaying
public import StatesCore

extension StateRecorder {
  /// Records a reducer of ReSwift's shape, whose first call may have no state.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   reSwift: { (action: Int, state: [Int]?) -> [Int] in (state ?? []) + [action] }, as: "list")
  /// assert(reduce(2, reduce(1, nil)) == [1, 2])
  /// ```
  /// What a call without a state returns is the state that the recording begins with. An action is
  /// encoded on the thread that dispatches it, because ReSwift's actions need not be Sendable; one
  /// that is not Codable is recorded by reflection.
  ///
  /// A reducer of `any Action` has its actions named after their types: `{"Increase":{"by":4}}`. For
  /// branches and replays, `make` is a type that makes a `RecordedReducer`, there of `CatalogEvent`.
  public func wrap<State: Encodable & Sendable, Action>(
    reSwift reduce: @escaping (Action, State?) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Action, State?) -> State {
    let facts = PerformedFacts(name: name, site: CallSite(file: file, line: line), make: make)
    return following(reduce, makePerformedTap(facts, outputs, sending: Action.self) { $0 })
  }

  /// Records a reducer by reflection: for a state that is not Codable.
  @_disfavoredOverload
  public func wrap<State: Sendable, Action>(
    reSwift reduce: @escaping (Action, State?) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Action, State?) -> State {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), isReflected: true)
    return following(
      reduce, makePerformedTap(facts, outputs, sending: Action.self) { Reflected($0) })
  }

  private func following<State: Sendable, Action>(
    _ reduce: @escaping (Action, State?) -> State,
    _ tap: FunctionTap<State, Performed<EncodedEvent>>?
  ) -> (Action, State?) -> State {
    guard let tap else { return reduce }
    return { action, before in
      // A store without a state asks for its first one; nothing has happened yet.
      tap.end.begin(before == nil ? nil : Performed(event: EncodedEvent(action)))
      let after = reduce(action, before)
      if before == nil { tap.replace(by: after) } else { tap.finish(before, after) }
      return after
    }
  }
}
