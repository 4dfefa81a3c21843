public import Replaying
public import StatesCore

extension StateRecorder {
  /// The same function, recorded: for stores that are not of this package.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap({ (state: Int, event: Int) in state + event }, as: "sum")
  /// assert(reduce(reduce(0, 1), 2) == 3)
  /// ```
  ///
  /// The recording begins with the state of the first call. A call with a state that the function
  /// had not returned is recorded as a jump. One function is one machine: where several stores use
  /// the same reducer, give each its own with `wrapping(_:as:)`.
  @inlinable
  public func wrap<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ reduce: @escaping (State, Event) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (State, Event) -> State {
    let site = CallSite(file: file, line: line)
    guard let tap = makeTap(of: State.self, Event.self, name, outputs, make, site) else {
      return reduce
    }
    return { state, event in tap.call(state, event) { reduce($0, event) } }
  }

  /// The same function, recorded by reflection: for types that are not Codable.
  @_disfavoredOverload
  public func wrap<State: Sendable, Event: Sendable>(
    _ reduce: @escaping (State, Event) -> State, as name: String,
    outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (State, Event) -> State {
    guard let core else { return reduce }
    let tap = core.makeFunctionTap(
      name, ReflectedAppearance<State, Event>(outputs: outputs),
      .reducer(State.self, Event.self, nil), encoding: .reflected,
      at: CallSite(file: file, line: line))
    return { state, event in tap.call(state, event) { reduce($0, event) } }
  }

  /// Makes recorded functions, one for each store, each with a timeline of its own.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let all = recorder.wrapping({ (state: Int, event: Int) in state + event }, as: "row")
  /// let first = all()
  /// let second = all()
  /// assert(first(0, 1) + second(0, 2) == 3)
  /// ```
  /// Without a name the recordings are named after the state's type.
  public func wrapping<State: Encodable & Sendable, Event: Encodable & Sendable>(
    _ reduce: @escaping (State, Event) -> State, as name: String? = nil,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> () -> (State, Event) -> State {
    { [self] in
      wrap(
        reduce, as: name ?? "\(State.self)", outputs: outputs, madeBy: make, file: file,
        line: line)
    }
  }

  /// The same function, recorded, for one that changes its state in place.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   inPlace: { (state: inout [Int], event: Int) in state.append(event) }, as: "list")
  /// var list: [Int] = []
  /// reduce(&list, 1)
  /// ```
  /// A state that the recorder has not yet written is copied by the next change. That is bounded by
  /// ``CaptureLimits/copyShare``: beyond it steps are recorded without their states.
  @inlinable
  public func wrap<State: Encodable & Sendable, Event: Encodable & Sendable, Answer>(
    inPlace reduce: @escaping (inout State, Event) -> Answer, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (inout State, Event) -> Answer {
    let site = CallSite(file: file, line: line)
    guard let tap = makeTap(of: State.self, Event.self, name, outputs, make, site) else {
      return reduce
    }
    return { (state: inout State, event: Event) -> Answer in
      tap.change(&state, event) { (state: inout State) in reduce(&state, event) }
    }
  }
}

extension StateRecorder {
  /// The place around a function of these types; nil when nothing is recorded.
  @usableFromInline
  func makeTap<State: Encodable & Sendable, Event: Encodable & Sendable>(
    of state: State.Type, _ event: Event.Type, _ name: String, _ outputs: Outputs<State>,
    _ make: (any Replayable.Type)?, _ site: CallSite
  ) -> FunctionTap<State, Event>? {
    core?.makeFunctionTap(
      name, ReducerAppearance<State, Event>(outputs: outputs), .reducer(state, event, make),
      at: site)
  }
}

extension MachineFacts {
  /// A function: named by the type that makes it, else by its state.
  static func reducer(
    _ state: Any.Type, _ event: Any.Type?, _ make: (any Replayable.Type)?
  ) -> MachineFacts {
    MachineFacts(
      kind: MachineKind.reducer.rawValue, type: make ?? state,
      make: make.map(makeExpression), eventType: event)
  }
}

extension RecorderCore {
  /// The recording of a function, which begins with its first call.
  func makeFunctionTap<Appearance: MachineAppearance & Sendable>(
    _ name: String, _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable, at site: CallSite
  ) -> FunctionTap<Appearance.State, Appearance.Input>
  where Appearance.State: Sendable, Appearance.Input: Sendable {
    let admission: Admission<Appearance.State, Appearance.Input> = admit(
      name, identity: Cause.makeMachineIdentity(), .scribe(first: nil, time: clock.now),
      appearance, facts, encoding: encoding, input: { $0 })
    return FunctionTap(admission, at: site, watch: callSiteWatch)
  }
}
