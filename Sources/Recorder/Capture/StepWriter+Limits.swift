public import Synchronization

// Limits: how many states may wait, and how much time copies may take.
extension StepWriter {
  /// The number of states that wait to be read.
  @inlinable var statesWaiting: Int {
    writtenStates &- droppedStates &- inbox.statesRead.load(ordering: .relaxed)
  }

  @inlinable var hasRoomForState: Bool {
    let waiting = statesWaiting
    guard waiting < stateLimit else { return false }
    // The first state is always accepted; otherwise a large state would never be recorded.
    return waiting == 0 || hasRoom(forBytesOf: waiting + 1)
  }

  @inlinable
  func hasRoom(forBytesOf count: Int) -> Bool {
    count &* inbox.stateBytes.load(ordering: .relaxed) <= stateBudget
  }

  /// The limit where some states replaced others, twice the usual one. These states cannot be left
  /// out, so the extra room keeps a few of them from displacing other states.
  var stateLimitOfReplacements: Int {
    let bytes = inbox.stateBytes.load(ordering: .relaxed)
    return 2 * (bytes > 0 ? min(stateLimit, max(1, stateBudget / bytes)) : stateLimit)
  }

  /// Ends the block when there is no room for another state that replaces one. Before the next
  /// step, blocks with waiting states are dropped.
  @usableFromInline
  @inline(never)
  func endBlockIfCrowded() {
    guard statesWaiting >= stateLimitOfReplacements else { return }
    isCrowded = true
    limit = min(limit, count)
  }

  /// Whether to record the state of a step that is being made now.
  ///
  /// - Parameter isCopied: Whether keeping the state forces the machine to copy it at its next
  ///   step.
  @usableFromInline
  @inline(never)
  func wantsState(isCopied: Bool, now: UInt64) -> Bool {
    guard inbox.isAccepting, hasRoomForState else { return false }
    return !isCopied || spendCopyBudget(now)
  }

  /// Spends the time of one copy from the budget; false if the budget is too small.
  private func spendCopyBudget(_ now: UInt64) -> Bool {
    let bytes = inbox.stateBytes.load(ordering: .relaxed)
    // A copy this small is negligible next to any reducer.
    guard bytes == 0 || bytes > 2_048 else { return true }
    // Before any state was encoded, the shortest step that copied is an upper bound for a copy.
    guard bytes > 0 || CopyCost.isLong(copyTime) else { return true }
    let cost = bytes == 0 ? Double(copyTime) : Double(bytes) * CopyCost.nanosecondsPerByte
    let passed = now > budgetTime ? Double(now - budgetTime) : 0
    // Save up at most one copy, so that a burst after a pause gets no more.
    copyBudget = min(copyBudget + passed * copyShare, cost)
    budgetTime = now
    guard copyBudget >= cost else { return false }
    copyBudget -= cost
    return true
  }
}

/// The cost of copying a state that a reducer changes in place.
enum CopyCost {
  /// Measured: 0.1 ns a byte for a megabyte of numbers, a third of a nanosecond for strings and
  /// arrays, each of which is retained. The larger value keeps the share in both cases.
  static let nanosecondsPerByte = 0.35

  /// Whether a step of this many nanoseconds made a copy that matters. Twenty microseconds are more
  /// than a small reducer takes without optimization, and less than copying a megabyte.
  static func isLong(_ time: UInt64) -> Bool { time != .max && time > 20_000 }
}
