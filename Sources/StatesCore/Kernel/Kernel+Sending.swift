extension Kernel {
  /// Sends an input: handles it and everything it leads to, or queues or refuses it.
  ///
  /// - Parameters:
  ///   - input: What the machine receives.
  ///   - callSite: Where it was sent.
  ///   - origin: Who sent it (default: the app).
  ///   - cause: The step that led to the input (default: the current one).
  ///   - evenWhileHeld: Whether a held machine makes the step too, without calling observers that
  ///     act. The inspector dispatches into a held machine this way.
  @inlinable
  @inline(never)
  @discardableResult
  public func send(
    _ input: Input, at callSite: CallSite, origin: Origin = .app, cause: Cause? = nil,
    evenWhileHeld: Bool = false
  ) -> SendAnswer {
    let cause = cause ?? currentCause
    if mode.has(.held) { resumeIfAbandoned() }
    if mode.has(.busy | .held) {
      if mode.has(.held), !evenWhileHeld {
        guard case .queue(let limit) = holdPolicy, queue.count < limit else { return .refused }
      } else if !mode.has(.busy) {
        return run(input, at: callSite, origin: origin, cause: cause)
      }
      wait(
        Waiting(
          work: .input(input), callSite: callSite, origin: origin, cause: cause,
          evenWhileHeld: evenWhileHeld))
      return .queued
    }
    return run(input, at: callSite, origin: origin, cause: cause)
  }

  /// Sends an input to a kind whose transition is known statically.
  ///
  /// Without observers, this is the reducer, a few stores, and one branch; nothing is allocated.
  /// `reduce` must compute what the kernel's transition computes.
  @inlinable
  @inline(__always)
  func send(
    _ input: Input, at callSite: @autoclosure () -> CallSite, reduce: (State, Input) -> State
  ) -> SendAnswer {
    guard mode == .idle else {
      return mode == .tapped
        ? sendTapped(input, at: callSite(), reduce: reduce) : send(input, at: callSite())
    }
    mode = .busy
    _handling = input
    let after = reduce(_state, input)
    if mode == .busy {
      _state = after
      _number &+= 1
      _handling = nil
      mode = .idle
    } else {
      // The reducer itself sent an input or added an observer: not pure, but handled correctly.
      advance(to: after, at: callSite())
    }
    return .handled
  }

  /// Sends an input while the recorder is the only observer.
  @inlinable
  @inline(never)
  func sendTapped(
    _ input: Input, at callSite: CallSite, reduce: (State, Input) -> State
  ) -> SendAnswer {
    let busy = KernelMode.busy | .tapped
    mode = busy
    let cause = Cause.current
    withTap { $0.willHandle(input) }
    _handling = input
    let after = reduce(_state, input)
    guard mode == busy else {
      advance(to: after, at: callSite, cause: cause)
      return .handled
    }
    _number &+= 1
    // The tap runs before the kernel stores the state: the other order would copy the state again.
    withTap { $0.didHandlePlainStep(input, after, _number, cause, callSite) }
    // Without `consume`, the compiler copies the state, because closures saw it, and then releases
    // the copy: two more counts for each reference in it.
    _state = consume after
    _handling = nil
    if mode == busy { mode = .tapped } else { drain() }
    return .handled
  }

  /// Replaces the state without an input: observers that render are called, others are not.
  ///
  /// During another step it waits for its turn, but not for a held machine to resume.
  @discardableResult
  public func restore(
    _ state: State, at callSite: CallSite, origin: Origin = .app, cause: Cause? = nil
  ) -> SendAnswer {
    let cause = cause ?? currentCause
    guard !isBusy else {
      wait(
        Waiting(
          work: .restore(state), callSite: callSite, origin: origin, cause: cause,
          evenWhileHeld: true))
      return .queued
    }
    mode.insert(.busy)
    replace(by: state, at: callSite, origin: origin, cause: cause)
    drain()
    return .handled
  }

  /// The cause of what is sent now; looked up only when the machine is recorded.
  @usableFromInline
  var currentCause: Cause? {
    mode.has(.tapped | .recorded) ? Cause.current : nil
  }

  @inlinable
  func wait(_ waiting: Waiting) {
    queue.append(waiting)
    mode.insert(.waiting)
  }

  /// Handles an input now, then everything in the queue.
  @inlinable
  func run(
    _ input: Input, at callSite: CallSite, origin: Origin, cause: Cause?
  ) -> SendAnswer {
    mode.insert(.busy)
    let madeStep = handle(input, at: callSite, origin: origin, cause: cause)
    drain()
    return madeStep ? .handled : .refused
  }

  /// Handles the queue, in order; while held, only what runs even then.
  @inlinable
  func drain() {
    while mode.has(.waiting), let next = nextWaiting() {
      switch next.work {
      case .input(let input):
        _ = handle(input, at: next.callSite, origin: next.origin, cause: next.cause)
      case .restore(let state):
        replace(by: state, at: next.callSite, origin: next.origin, cause: next.cause)
      }
    }
    mode.remove(.busy)
  }

  @inlinable
  func nextWaiting() -> Waiting? {
    let next = mode.has(.held) ? queue.popFirst { $0.evenWhileHeld } : queue.popFirst()
    if queue.isEmpty { mode.remove(.waiting) }
    return next
  }

  /// Runs the transition and makes the step; returns false when the input had no effect.
  @inlinable
  func handle(_ input: Input, at callSite: CallSite, origin: Origin, cause: Cause?) -> Bool {
    _tap?.willHandle(input)
    _handling = input
    let before = _state
    guard let after = transition(self, input) else {
      if mode.has(.eventful) { recordFailure() }
      effects.removeAll()
      _handling = nil
      _tap?.willHandle(nil)
      return false
    }
    _state = after
    _number &+= 1
    finish(before: before, at: callSite, origin: origin, cause: cause)
    return true
  }

  @inlinable
  func replace(by state: State, at callSite: CallSite, origin: Origin, cause: Cause?) {
    let before = _state
    _state = state
    _number &+= 1
    finish(before: before, at: callSite, origin: origin, cause: cause)
  }

  /// Notifies the tap, middleware, and observers of the step that was just made.
  @inlinable
  func finish(before: State, at callSite: CallSite, origin: Origin, cause: Cause?) {
    let error = mode.has(.eventful) ? recordFailure() : nil
    let details = StepDetails(
      number: _number, cause: cause, origin: origin, callSite: callSite, error: error,
      isHeld: mode.has(.held))
    _tap?.didHandle(_handling, _state, details)
    if mode.has(.observed) || !effects.isEmpty {
      let step = Step(input: _handling, before: before, after: _state, details: details)
      if !mode.has(.tapped | .recorded) {
        notify(step)
      } else {
        Cause.with(Cause(machine: identity, number: _number)) { notify(step) }
      }
    }
    _handling = nil
  }

  /// Ends a step during which an observer was added.
  @inlinable
  @inline(never)
  func advance(to after: State, at callSite: CallSite, cause: Cause? = nil) {
    let before = _state
    _state = after
    _number &+= 1
    finish(before: before, at: callSite, origin: .app, cause: cause)
    drain()
  }

  /// Clears the eventful flag, and stores the step's error for the sender.
  @usableFromInline
  @discardableResult
  func recordFailure() -> (any Error)? {
    mode.remove(.eventful)
    guard let error = failure.take() else { return nil }
    if unclaimedFailure == nil { unclaimedFailure = error }
    return error
  }
}
