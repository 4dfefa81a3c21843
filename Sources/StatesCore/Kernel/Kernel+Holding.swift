extension Kernel {
  /// Whether the machine is held, so that inputs are refused or queued.
  public var isHeld: Bool { mode.has(.held) }

  /// The number of queued inputs.
  public var waitingCount: Int { queue.count }

  /// Holds the machine: until ``resume()``, it refuses or queues inputs, and nothing acts.
  ///
  /// If called during a step, that step finishes without observers that act, and queued inputs stay
  /// in the queue. Holding a held machine changes the policy.
  public func hold(_ policy: HoldPolicy) {
    holdPolicy = policy
    isStillHeld = nil
    mode.insert(.held)
  }

  /// Holds the machine as long as the condition is true, for a holder that may disappear without
  /// resuming it. The condition is checked whenever an input arrives.
  package func hold(_ policy: HoldPolicy, while condition: @escaping () -> Bool) {
    hold(policy)
    isStillHeld = condition
  }

  /// Resumes a machine whose holder is gone.
  @usableFromInline
  package func resumeIfAbandoned() {
    guard isHeld, !isBusy, let isStillHeld, !isStillHeld() else { return }
    resume()
  }

  /// Resumes the machine: it handles the queued inputs, in order, starting from the current state.
  public func resume() {
    mode.remove(.held)
    isStillHeld = nil
    guard !isBusy, mode.has(.waiting) else { return }
    mode.insert(.busy)
    drain()
  }

  /// Handles the first queued input of a held machine, without calling observers that act.
  ///
  /// Returns false when the queue is empty, or during a step.
  @discardableResult
  package func stepWaiting() -> Bool {
    guard isHeld, !isBusy, let next = queue.popFirst() else { return false }
    if queue.isEmpty { mode.remove(.waiting) }
    guard case .input(let input) = next.work else { return false }
    _ = run(input, at: next.callSite, origin: next.origin, cause: next.cause)
    return true
  }

  /// Discards the queued inputs; returns how many there were.
  @discardableResult
  package func discardWaiting() -> Int {
    let count = queue.count
    queue = WaitingQueue()
    mode.remove(.waiting)
    return count
  }
}
