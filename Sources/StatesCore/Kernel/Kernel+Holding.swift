extension Kernel {
  /// Whether inputs are refused or wait.
  public var isHeld: Bool { mode.has(.held) }

  /// How many inputs wait.
  public var waitingCount: Int { queue.count }

  /// Holds the machine: inputs are refused or wait, and nothing acts until ``resume()``.
  ///
  /// Called while something is handled, the current step is finished without those who act, and
  /// what waits behind it goes on waiting. Holding a held machine changes the policy.
  public func hold(_ policy: HoldPolicy) {
    holdPolicy = policy
    isStillHeld = nil
    mode.insert(.held)
  }

  /// Holds the machine for somebody who may go away without resuming it: as long as the condition is
  /// true, which is asked where an input comes.
  package func hold(_ policy: HoldPolicy, while condition: @escaping () -> Bool) {
    hold(policy)
    isStillHeld = condition
  }

  /// Resumes a machine whose holder has gone.
  @usableFromInline
  package func resumeIfLeft() {
    guard isHeld, !isBusy, let isStillHeld, !isStillHeld() else { return }
    resume()
  }

  /// Resumes the machine: what waits is handled, in order, against the state there is now.
  public func resume() {
    mode.remove(.held)
    isStillHeld = nil
    guard !isBusy, mode.has(.waiting) else { return }
    mode.insert(.busy)
    drain()
  }

  /// Handles the first waiting input of a held machine, without those who act.
  ///
  /// Answers false when there is none, or when something is being handled.
  @discardableResult
  package func stepWaiting() -> Bool {
    guard isHeld, !isBusy, let next = queue.popFirst() else { return false }
    if queue.isEmpty { mode.remove(.waiting) }
    guard case .input(let input) = next.work else { return false }
    _ = run(input, at: next.callSite, origin: next.origin, cause: next.cause)
    return true
  }

  /// Forgets the inputs that wait; answers how many there were.
  @discardableResult
  package func discardWaiting() -> Int {
    let count = queue.count
    queue = WaitingQueue()
    mode.remove(.waiting)
    return count
  }
}
