extension Kernel {
  /// Adds an observer; it is called with each step, starting with the next one.
  ///
  /// One that `acts` is not called for restored states, and never while held. `action` returns
  /// whether to keep the observer: false when its owner is gone.
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

  /// Adds middleware, which receives every step before the observers do, in the order of
  /// registration.
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
  /// An observer receives its first state inside this call, so that it cannot see a later one
  /// first.
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
    // The lists are values: an observer that is added during the loop starts with the next step.
    for observer in middleware { sawEnded = !call(observer, with: step) || sawEnded }
    for observer in observers where !observer.acts || mayAct(on: step) {
      sawEnded = !call(observer, with: step) || sawEnded
    }
    if sawEnded { removeEndedObservers() }
    if !effects.isEmpty {
      let scheduled = effects
      effects = []
      for effect in scheduled where mayAct(on: step) { effect() }
    }
  }

  /// Checked before each call, because an observer may hold the machine.
  @inlinable
  func mayAct(on step: Step<State, Input>) -> Bool {
    !step.isRestored && !mode.has(.held)
  }

  /// Calls an observer unless it has ended; returns whether it is still live.
  @inlinable
  func call(_ observer: Observer<State, Input>, with step: Step<State, Input>) -> Bool {
    guard observer.isLive, let action = observer.action else { return false }
    if !action(step) { observer.cancel() }
    return observer.isLive
  }

  @usableFromInline
  func removeEndedObservers() {
    // They release what they hold only after the lists are updated: a deinitializer may call the
    // machine.
    let ended = (observers + middleware).filter { !$0.isLive }
    observers = observers.filter(\.isLive)
    middleware = middleware.filter(\.isLive)
    if middleware.isEmpty { mode.remove(.recorded) }
    if middleware.isEmpty, observers.isEmpty { mode.remove(.observed) }
    for observer in ended { observer.detach() }
  }
}
