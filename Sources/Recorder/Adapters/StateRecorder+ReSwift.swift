public import Replaying
public import StatesCore

extension StateRecorder {
  /// Records a reducer like one of ReSwift, whose first call may have no state.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   reSwift: { (action: Int, state: [Int]?) -> [Int] in (state ?? []) + [action] }, as: "list")
  /// assert(reduce(2, reduce(1, nil)) == [1, 2])
  /// ```
  /// The recording begins with the state that a call without a state returns. Actions are encoded
  /// on the thread that dispatches them, because ReSwift's actions need not be `Sendable`. An
  /// action that is not `Codable` is recorded by reflection.
  ///
  /// For a reducer of `any Action`, each action is recorded under the name of its type:
  /// `{"Increase":{"by":4}}`. To support branches and replays, pass as `make` a type that makes a
  /// `RecordedReducer` of `CatalogEvent`.
  public func wrap<State: Encodable & Sendable, Action>(
    reSwift reduce: @escaping (Action, State?) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Action, State?) -> State {
    let facts = PerformedFacts(name: name, site: CallSite(file: file, line: line), make: make)
    return following(reduce, makePerformedTap(facts, outputs, sending: Action.self) { $0 })
  }

  /// Records a reducer by reflection, for a state that is not `Codable`.
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
      // A call without a state only requests the first one; no event has happened.
      tap.writer.begin(before == nil ? nil : Performed(event: EncodedEvent(action)))
      let after = reduce(action, before)
      if before == nil { tap.replace(by: after) } else { tap.finish(before, after) }
      return after
    }
  }
}
