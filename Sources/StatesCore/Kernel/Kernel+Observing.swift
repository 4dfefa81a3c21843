extension Kernel {
  /// Adds an observer; it is called with each step from the next one on.
  ///
  /// One that `acts` is not called for restored states, and never while held. `action` answers
  /// whether the observer lives on: false when its owner is gone.
  @inlinable
  @discardableResult
  public func observe(
    acts: Bool, _ action: @escaping (Step<State, Input>) -> Bool
  ) -> Subscription {
    let observer = Observer(acts: acts, kernel: self, action: action)
    observers.append(observer)
    mode.insert(.observed)
    return Subscription(observer)
  }

  /// Adds something that sees every step before the observers do, in the order of registration.
  @inlinable
  @discardableResult
  public func use(_ action: @escaping (Step<State, Input>) -> Void) -> Subscription {
    let observer = Observer(acts: false, kernel: self) { step in
      action(step)
      return true
    }
    middleware.append(observer)
    mode.insert(.observed | .recorded)
    return Subscription(observer)
  }

  /// Runs `body` as part of a step: what it sends is handled afterwards.
  ///
  /// An observer gets its first state in here, so that it does not see a later one first.
  @inlinable
  public func deliver(_ body: () -> Void) {
    guard !isBusy else { return body() }
    mode.insert(.busy)
    body()
    drain()
  }

  /// Calls middleware, then observers, then the effects of the step.
  @inlinable
  func notify(_ step: Step<State, Input>) {
    var sawEnded = false
    // The lists are values: what is added meanwhile is not in these, and starts with the next step.
    for observer in middleware { sawEnded = !call(observer, with: step) || sawEnded }
    for observer in observers where !observer.acts || mayAct(on: step) {
      sawEnded = !call(observer, with: step) || sawEnded
    }
    if sawEnded { forgetEnded() }
    if !effects.isEmpty {
      let scheduled = effects
      effects = []
      for effect in scheduled where mayAct(on: step) { effect() }
    }
  }

  /// Asked anew before each call, because an observer may hold the machine.
  @inlinable
  func mayAct(on step: Step<State, Input>) -> Bool {
    !step.isRestored && !mode.has(.held)
  }

  /// Calls an observer unless it has ended; false when it has.
  @inlinable
  func call(_ observer: Observer<State, Input>, with step: Step<State, Input>) -> Bool {
    guard observer.isLive, let action = observer.action else { return false }
    if !action(step) { observer.cancel() }
    return observer.isLive
  }

  /// Removes the observers that have ended.
  @usableFromInline
  func forgetEnded() {
    // They let go of what they hold when the lists are whole again: a deinitialiser may call the
    // machine.
    let ended = (observers + middleware).filter { !$0.isLive }
    observers = observers.filter(\.isLive)
    middleware = middleware.filter(\.isLive)
    if middleware.isEmpty { mode.remove(.recorded) }
    if middleware.isEmpty, observers.isEmpty { mode.remove(.observed) }
    for observer in ended { observer.detach() }
  }
}
