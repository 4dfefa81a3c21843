public import Replaying
public import StatesCore

extension StateRecorder {
  /// Returns a function that records each call of a reducer, for stores of any library.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap({ (state: Int, event: Int) in state + event }, as: "sum")
  /// assert(reduce(reduce(0, 1), 2) == 3)
  /// ```
  ///
  /// The recording begins with the state of the first call. A call with a state that the function
  /// did not return is recorded as a jump. One function is one machine: if several stores use the
  /// same reducer, wrap it for each of them with `wrapping(_:as:)`.
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

  /// Returns a function that records each call by reflection, for types that are not `Codable`.
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

  /// Returns a closure that makes recorded functions, one for each store, each with its own
  /// timeline.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let all = recorder.wrapping({ (state: Int, event: Int) in state + event }, as: "row")
  /// let first = all()
  /// let second = all()
  /// assert(first(0, 1) + second(0, 2) == 3)
  /// ```
  /// Without a name, the recordings are named after the state's type.
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

  /// Returns a function that records each call of a reducer that changes its state in place.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let reduce = recorder.wrap(
  ///   inPlace: { (state: inout [Int], event: Int) in state.append(event) }, as: "list")
  /// var list: [Int] = []
  /// reduce(&list, 1)
  /// ```
  /// If the recorder still holds a state, the next change copies it. ``CaptureLimits/copyShare``
  /// limits how often: beyond it, steps are recorded without their states.
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
  /// Makes the tap for a function; nil when nothing is recorded.
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
  /// The facts of a function, named after the type that makes it, or its state.
  static func reducer(
    _ state: Any.Type, _ event: Any.Type?, _ make: (any Replayable.Type)?
  ) -> MachineFacts {
    MachineFacts(
      kind: MachineKind.reducer.rawValue, type: make ?? state,
      make: make.map(makeExpression), eventType: event)
  }
}

extension RecorderCore {
  /// Makes the tap for a function, whose recording begins with its first call.
  func makeFunctionTap<Appearance: MachineAppearance & Sendable>(
    _ name: String, _ appearance: Appearance, _ facts: MachineFacts,
    encoding: RecordedMachine.Encoding = .codable, at site: CallSite
  ) -> FunctionTap<Appearance.State, Appearance.Input>
  where Appearance.State: Sendable, Appearance.Input: Sendable {
    let registration: Registration<Appearance.State, Appearance.Input> = register(
      name, identity: Cause.makeMachineIdentity(), .pipeline(first: nil, time: clock.now),
      appearance, facts, encoding: encoding, input: { $0 })
    return FunctionTap(registration, at: site, watch: callSiteWatch)
  }
}
