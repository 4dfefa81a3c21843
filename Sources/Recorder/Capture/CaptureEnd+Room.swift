public import Synchronization

// What there is room and time for.
extension CaptureEnd {
  /// How many states wait.
  @inlinable var statesWaiting: Int {
    statesLeft &- statesGone &- inbox.statesTaken.load(ordering: .relaxed)
  }

  /// Whether one more state may wait.
  @inlinable var hasRoomForState: Bool {
    let waiting = statesWaiting
    guard waiting < stateLimit else { return false }
    // The first is always taken, or a large state would never be seen.
    return waiting == 0 || hasRoom(forBytesOf: waiting + 1)
  }

  @inlinable
  func hasRoom(forBytesOf count: Int) -> Bool {
    count &* inbox.stateBytes.load(ordering: .relaxed) <= stateBudget
  }

  /// How many states may wait where some replaced others: these have as much room again, so that few
  /// of them cost nobody anything.
  var stateLimitOfReplacements: Int {
    let bytes = inbox.stateBytes.load(ordering: .relaxed)
    return 2 * (bytes > 0 ? min(stateLimit, max(1, stateBudget / bytes)) : stateLimit)
  }

  /// Ends the block when there is no room for one more state that replaces another: before the next
  /// step others are lost, whose states wait.
  @usableFromInline
  @inline(never)
  func endBlockIfCrowded() {
    guard statesWaiting >= stateLimitOfReplacements else { return }
    isCrowded = true
    limit = min(limit, count)
  }

  /// Whether a step that is made now is to be left with its state.
  ///
  /// `isCopied` is whether keeping the state makes the machine copy it at its next step.
  @usableFromInline
  @inline(never)
  func wantsState(isCopied: Bool, now: UInt64) -> Bool {
    guard inbox.isTaking, hasRoomForState else { return false }
    return !isCopied || payCopy(now)
  }

  /// Pays for one copy, when there is time for it.
  private func payCopy(_ now: UInt64) -> Bool {
    let bytes = inbox.stateBytes.load(ordering: .relaxed)
    // A copy this small is lost in the cost of any reducer.
    guard bytes == 0 || bytes > 2_048 else { return true }
    // Before any state was encoded, the shortest copying step tells what a copy takes at most.
    guard bytes > 0 || CopyCost.isLong(copyTime) else { return true }
    let cost = bytes == 0 ? Double(copyTime) : Double(bytes) * CopyCost.nanosecondsPerByte
    let passed = now > reckoned ? Double(now - reckoned) : 0
    // What is saved up is one copy: a burst after a rest gets no more of them.
    copyBudget = min(copyBudget + passed * copyShare, cost)
    reckoned = now
    guard copyBudget >= cost else { return false }
    copyBudget -= cost
    return true
  }
}

/// What copying a state costs that a reducer changes in place.
enum CopyCost {
  /// A megabyte of plain numbers takes a tenth of a nanosecond a byte; one of strings and arrays,
  /// each to be retained, a third. The larger one, so that the share is kept in either case.
  static let nanosecondsPerByte = 0.35

  /// Whether a step of so many nanoseconds copied more than is lost in its cost: twenty microseconds
  /// are more than a small reducer takes without optimisation, and less than a copy of a megabyte.
  static func isLong(_ time: UInt64) -> Bool { time != .max && time > 20_000 }
}
