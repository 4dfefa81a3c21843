extension Kernel {
  /// Sends an input: handles it, with all that it leads to, or says why not.
  ///
  /// `cause` is the current one unless given. With `evenWhileHeld` a held machine makes the step as
  /// well, without calling those who act: so an inspector dispatches into a held machine.
  @inlinable
  @inline(never)
  @discardableResult
  public func send(
    _ input: Input, at callSite: CallSite, origin: Origin = .app, cause: Cause? = nil,
    evenWhileHeld: Bool = false
  ) -> SendAnswer {
    let cause = cause ?? currentCause
    if mode.has(.held) { resumeIfLeft() }
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
  /// When nobody looks, this is the reducer, a few stores and one question; nothing is allocated.
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
      // The reducer itself sent something, or added an observer: not pure, but not our end either.
      advance(to: after, at: callSite())
    }
    return .handled
  }

  /// Sends an input while only the recorder looks.
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
    // Told before it is kept: handed over last, the state is not copied once more.
    withTap { $0.didHandlePlainly(input, after, _number, cause, callSite) }
    _state = after
    _handling = nil
    if mode == busy { mode = .tapped } else { drain() }
    return .handled
  }

  /// Replaces the state without an input: observers that render are called, others are not.
  ///
  /// While something is being handled it waits for its turn, but not for a held machine to resume.
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

  /// The cause of what is sent now; asked only when there is somebody who records it.
  @usableFromInline
  var currentCause: Cause? {
    mode.has(.tapped | .recorded) ? Cause.current : nil
  }

  @inlinable
  func wait(_ waiting: Waiting) {
    queue.append(waiting)
    mode.insert(.waiting)
  }

  /// Handles an input now, then everything that waits.
  @inlinable
  func run(
    _ input: Input, at callSite: CallSite, origin: Origin, cause: Cause?
  ) -> SendAnswer {
    mode.insert(.busy)
    let cameToSomething = handle(input, at: callSite, origin: origin, cause: cause)
    drain()
    return cameToSomething ? .handled : .refused
  }

  /// Handles what waits, in order; of a held machine only what runs even then.
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

  /// Runs the transition and makes the step; false when the input came to nothing.
  @inlinable
  func handle(_ input: Input, at callSite: CallSite, origin: Origin, cause: Cause?) -> Bool {
    _tap?.willHandle(input)
    _handling = input
    let before = _state
    guard let after = transition(self, input) else {
      if mode.has(.eventful) { settleFailure() }
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

  /// Tells everybody about the step that was just made.
  @inlinable
  func finish(before: State, at callSite: CallSite, origin: Origin, cause: Cause?) {
    let error = mode.has(.eventful) ? settleFailure() : nil
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

  /// Ends a step during which somebody began to look.
  @inlinable
  @inline(never)
  func advance(to after: State, at callSite: CallSite, cause: Cause? = nil) {
    let before = _state
    _state = after
    _number &+= 1
    finish(before: before, at: callSite, origin: .app, cause: cause)
    drain()
  }

  /// Ends the step's eventfulness, and keeps its error for the sender.
  @usableFromInline
  @discardableResult
  func settleFailure() -> (any Error)? {
    mode.remove(.eventful)
    guard let error = failure.take() else { return nil }
    if unclaimedFailure == nil { unclaimedFailure = error }
    return error
  }
}
