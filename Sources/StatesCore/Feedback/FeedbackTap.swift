/// The ids of a state's requests to one loop.
package struct FeedbackRequests: Hashable, Sendable {
  /// The loop's name.
  package let loop: String
  /// The ids as text, sorted; empty if the state requests nothing of the loop.
  package let ids: [String]

  package init(loop: String, ids: [String]) {
    self.loop = loop
    self.ids = ids
  }
}

/// The recorder's slot in one run.
///
/// The run's own task calls it, one call at a time, in the order of the steps, and before any loop
/// sees the new state, so that the consequences of a step are recorded after it.
package struct FeedbackTap<State: Sendable, Event: Sendable>: Sendable {
  /// Called with the initial state, which is step 0.
  package let didStart: @Sendable (State, [FeedbackRequests]) -> Void
  /// Called before an event is handled, for the clock and the slot that a crash handler reads.
  package let willHandle: @Sendable (Event) -> Void
  /// Called with each step; the event is nil after a restore.
  package let didHandle:
    @Sendable (Event?, _ before: State, _ after: State, StepDetails, [FeedbackRequests]) -> Void
  /// Called when the run is over and everything it started has ended.
  package let didEnd: @Sendable ((any Error)?) -> Void

  package init(
    didStart: @escaping @Sendable (State, [FeedbackRequests]) -> Void = { _, _ in },
    willHandle: @escaping @Sendable (Event) -> Void = { _ in },
    didHandle:
      @escaping @Sendable (
        Event?, _ before: State, _ after: State, StepDetails, [FeedbackRequests]
      ) -> Void,
    didEnd: @escaping @Sendable ((any Error)?) -> Void = { _ in }
  ) {
    self.didStart = didStart
    self.willHandle = willHandle
    self.didHandle = didHandle
    self.didEnd = didEnd
  }
}

extension FeedbackSystem {
  /// Returns the same system with each run recorded.
  ///
  /// `makeTap` is called at the beginning of a run with that run, for its identity, and to control
  /// it later. It returns nil for a run that should not be recorded.
  package func recorded(
    by makeTap: @escaping @Sendable (FeedbackRun<State, Event>) -> FeedbackTap<State, Event>?
  ) -> FeedbackSystem {
    var system = self
    system.makeTap = makeTap
    return system
  }

  /// A state's requests to the loops, in their order; they depend on nothing else, so that a replay
  /// finds the same.
  package func requests(in state: State, after event: Event? = nil) -> [FeedbackRequests] {
    requests(in: FeedbackMoment(state: state, event: event))
  }

  func requests(in moment: FeedbackMoment<State, Event>) -> [FeedbackRequests] {
    loops.map { FeedbackRequests(loop: $0.name, ids: $0.requestIDs(moment)) }
  }
}
