import Timelines

/// What was taken from an inbox at once.
struct TakenSteps<State: Sendable, Payload: Sendable>: Sendable {
  /// The newer steps, oldest first.
  var steps: [CapturedStep<State, Payload>] = []
  /// Those before them.
  var older: [CapturedStep<State, Payload>] = []
  /// How many were lost before the first of them.
  var lost = 0
  /// The moments that states were restored to, by the number of the step.
  var restored: [Int: EntryReference] = [:]

  /// How many there are.
  var count: Int { older.count + steps.count }

  /// The step at a place in their order.
  subscript(index: Int) -> CapturedStep<State, Payload> {
    index < older.count ? older[index] : steps[index - older.count]
  }

  /// Lets go of the values of a step; answers whether there was a state among them.
  mutating func release(_ index: Int) -> Bool {
    index < older.count ? older[index].release() : steps[index - older.count].release()
  }

  /// What is kept of storage at most: that of a burst is given back.
  private static var keptCapacity: Int { 8_192 }

  /// Forgets everything, and keeps the storage for what comes.
  mutating func empty() {
    steps.removeAll(keepingCapacity: steps.capacity <= Self.keptCapacity)
    older = []
    lost = 0
    restored = [:]
  }
}

extension CapturedStep {
  /// Lets go of the values; answers whether there was a state among them.
  fileprivate mutating func release() -> Bool {
    let hadState = after != nil
    (payload, before, after, extra) = (nil, nil, nil, nil)
    return hadState
  }
}
