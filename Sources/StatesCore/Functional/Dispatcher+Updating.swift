/// Methods that change the current state in place, or reset it.
extension Dispatcher {
  /// Changes the argument of the current state, and updates the object with it.
  ///
  /// `make` is the function that makes the state. `change` receives the argument with which the
  /// state was last applied, and the state's `onUpdate` runs with the result. The state must name
  /// its argument, as in `state(track) { … }`.
  ///
  /// Throws, and changes nothing, if another state is current, a transition is running, the state
  /// does nothing on an update, or the dispatcher is held and refuses.
  ///
  /// ```swift
  /// final class Player: Stateful {
  ///   struct Track: Codable, Sendable { var title: String; var seconds = 0 }
  ///   var label = ""
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func stopped() -> State { state { $0.label = "" } }
  ///   static func playing(_ track: Track) -> State {
  ///     state(track) { $0.label = "\(track.title) \(track.seconds)" }.alsoOnUpdate()
  ///   }
  /// }
  /// let player = Player()
  /// player.state.apply { $0.playing(.init(title: "Air")) }
  /// try player.state.update(Player.playing) { $0.seconds += 1 }
  /// assert(player.label == "Air 1")
  /// player.state.apply { $0.stopped() }
  /// do {
  ///   try player.state.update(Player.playing) { $0.seconds += 1 }
  ///   assertionFailure()
  /// } catch .notCurrent {}
  /// ```
  public func update<Argument: Codable & Sendable>(
    _ make: (Argument) -> FunctionalState<Subject>,
    via transition: FunctionalTransition<Subject>? = nil,
    file: StaticString = #fileID, line: UInt32 = #line,
    _ change: (inout Argument) -> Void
  ) throws(DispatchError) {
    try checkNoTransition()
    let values = kernel.state.current?.arguments?.values ?? []
    guard values.count == 1, var argument = values[0] as? Argument else {
      throw .notCurrent(state: "The state of \(Argument.self)", current: current?.name)
    }
    // Made before the change, because the argument's type alone does not identify the state.
    let name = make(argument).name
    guard kernel.state.isReady(with: name) else {
      throw .notCurrent(state: name, current: current?.name)
    }
    change(&argument)
    try update(make(argument), via: transition, file: file, line: line)
  }

  /// Updates the object with a state, which must be the current one.
  ///
  /// Unlike `apply`, which makes the state the current one if it is not, this throws if another
  /// state is current. See ``update(_:via:file:line:_:)``.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   var level = 0
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on(at level: Int) -> State { state(level) { $0.level = level }.alsoOnUpdate() }
  /// }
  /// let lamp = Lamp()
  /// lamp.state.apply { $0.on(at: 1) }
  /// try lamp.state.update(Lamp.on(at: 2))
  /// assert(lamp.level == 2)
  /// ```
  public func update(
    _ state: FunctionalState<Subject>, via transition: FunctionalTransition<Subject>? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) throws(DispatchError) {
    try checkNoTransition()
    guard kernel.state.isReady(with: state.name) else {
      throw .notCurrent(state: state.name, current: current?.name)
    }
    guard state.onUpdate != nil else { throw .doesNotUpdate(state: state.name) }
    var failure: DispatchError?
    var isSending = true
    var application = Application(
      state: state, transition: transition, timeLimit: nil,
      completion: { _, error in if isSending { failure = error } })
    application.isUpdateOnly = true
    send(application, at: CallSite(file: file, line: line))
    isSending = false
    if let failure { throw failure }
  }

  /// Resets the dispatcher: afterwards it has no current state, as before the first one was
  /// applied.
  ///
  /// The object stays as it is. Returns whether there was a current state; from inside an observer
  /// the reset waits for its turn, and the result is whether there is one now. Throws if a
  /// transition is running, or the dispatcher is held and refuses.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  /// }
  /// let lamp = Lamp()
  /// lamp.state.apply { $0.on() }
  /// try lamp.state.reset()
  /// assert(lamp.state.current == nil)
  /// ```
  @discardableResult
  public func reset(
    file: StaticString = #fileID, line: UInt32 = #line
  ) throws(DispatchError) -> Bool {
    try checkNoTransition()
    guard let current else { return false }
    let answer = kernel.send(DispatcherInput(.reset), at: CallSite(file: file, line: line))
    if answer == .refused { throw .refused(state: current.name) }
    return true
  }

  private func checkNoTransition() throws(DispatchError) {
    if let target = kernel.state.target { throw .inTransition(to: target.name) }
  }
}

extension DispatcherState {
  /// Whether the state with that name is current and no transition is running.
  func isReady(with name: String) -> Bool {
    if case .ready(let item?) = phase { item.name == name } else { false }
  }
}
