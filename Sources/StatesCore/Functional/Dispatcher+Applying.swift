/// Methods that apply a state. Calls can be chained.
extension Dispatcher {
  /// Applies a state of the object's class.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   var level = 0
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on(at level: Int) -> State { state(level) { $0.level = level } }
  ///   static func off() -> State { state { $0.level = 0 } }
  /// }
  /// let lamp = Lamp()
  /// lamp.state.apply { $0.on(at: 3) }.apply { $0.off() }
  /// assert(lamp.level == 0)
  /// ```
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, timeLimit: TransitionTimeLimit? = nil,
    file: StaticString = #fileID, line: UInt32 = #line,
    _ make: (Subject.Type) -> FunctionalState<Subject>
  ) -> Dispatcher {
    enqueue(
      makeState(make), transition, timeLimit, CallSite(file: file, line: line)
    ) { _, _ in }
  }

  /// Applies a state of the object's class, and reports when it is applied and whether its
  /// transition finished.
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, timeLimit: TransitionTimeLimit? = nil,
    file: StaticString = #fileID, line: UInt32 = #line,
    _ make: (Subject.Type) -> FunctionalState<Subject>,
    completion: @escaping (_ finished: Bool, _ error: DispatchError?) -> Void
  ) -> Dispatcher {
    enqueue(
      makeState(make), transition, timeLimit, CallSite(file: file, line: line), completion)
  }

  /// Applies a state.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  /// }
  /// let slow: FunctionalTransition<Lamp> = { _, mutations, completion in
  ///   mutations()
  ///   completion(false)
  /// }
  /// Lamp().state.apply(via: slow, Lamp.on()) { finished in print(finished) }
  /// ```
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, _ state: FunctionalState<Subject>,
    timeLimit: TransitionTimeLimit? = nil, file: StaticString = #fileID, line: UInt32 = #line
  ) -> Dispatcher {
    enqueue(
      state, transition, timeLimit, CallSite(file: file, line: line)
    ) { _, _ in }
  }

  /// Applies a state, and reports when it is applied and whether its transition finished.
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, _ state: FunctionalState<Subject>,
    timeLimit: TransitionTimeLimit? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    completion: @escaping (_ finished: Bool) -> Void
  ) -> Dispatcher {
    enqueue(
      state, transition, timeLimit, CallSite(file: file, line: line)
    ) { finished, _ in completion(finished) }
  }

  /// Applies a state, and reports when that is done and what went wrong.
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, _ state: FunctionalState<Subject>,
    timeLimit: TransitionTimeLimit? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    completion: @escaping (_ finished: Bool, _ error: DispatchError?) -> Void
  ) -> Dispatcher {
    enqueue(
      state, transition, timeLimit, CallSite(file: file, line: line), completion)
  }

  /// Applies a state, and reports when that is done.
  @discardableResult
  public func apply(
    via transition: FunctionalTransition<Subject>? = nil, _ state: FunctionalState<Subject>,
    timeLimit: TransitionTimeLimit? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    completion: @escaping () -> Void
  ) -> Dispatcher {
    enqueue(
      state, transition, timeLimit, CallSite(file: file, line: line)
    ) { _, _ in completion() }
  }

  /// Applies a state of the object's class, and waits until it is applied.
  ///
  /// Returns whether the transition finished; throws if the state could not be applied or the
  /// transition broke the rules.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  /// }
  /// func switchOn(_ lamp: Lamp) async throws {
  ///   let finished = try await lamp.state.applied { $0.on() }
  ///   assert(finished)
  /// }
  /// ```
  @discardableResult
  public func applied(
    via transition: FunctionalTransition<Subject>? = nil, timeLimit: TransitionTimeLimit? = nil,
    file: StaticString = #fileID, line: UInt32 = #line,
    _ make: (Subject.Type) -> FunctionalState<Subject>
  ) async throws(DispatchError) -> Bool {
    let state = makeState(make)
    let result: Result<Bool, DispatchError> = await withCheckedContinuation {
      continuation in
      enqueue(state, transition, timeLimit, CallSite(file: file, line: line)) {
        continuation.resume(returning: $1.map { .failure($0) } ?? .success($0))
      }
    }
    return try result.get()
  }

  @discardableResult
  private func enqueue(
    _ state: FunctionalState<Subject>, _ transition: FunctionalTransition<Subject>?,
    _ timeLimit: TransitionTimeLimit?, _ site: CallSite,
    _ completion: @escaping (Bool, DispatchError?) -> Void
  ) -> Dispatcher {
    let application = Application(
      state: state, transition: transition, timeLimit: timeLimit, completion: completion)
    send(application, at: site)
    return self
  }
}
