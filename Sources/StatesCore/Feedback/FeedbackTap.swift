/// The ids of the requests that a state has, of one loop.
package struct FeedbackRequests: Hashable, Sendable {
  /// The loop's name.
  package let loop: String
  /// The ids as text, sorted; empty when the state asks the loop for nothing.
  package let ids: [String]

  /// Puts one together.
  package init(loop: String, ids: [String]) {
    self.loop = loop
    self.ids = ids
  }
}

/// The recorder's slot in one run.
///
/// Called by the run's own task, one call at a time, in the order of the steps; with each step
/// before any loop sees the new state, so that what the step leads to is recorded after it.
package struct FeedbackTap<State: Sendable, Event: Sendable>: Sendable {
  /// Called with the initial state, which is step 0.
  package let didStart: @Sendable (State, [FeedbackRequests]) -> Void
  /// Called before an event is handled, for the clock and the slot a crash handler looks into.
  package let willHandle: @Sendable (Event) -> Void
  /// Called with each step; the event is nil after a restore.
  package let didHandle:
    @Sendable (Event?, _ before: State, _ after: State, StepDetails, [FeedbackRequests]) -> Void
  /// Called when the run is over and nothing it started is left.
  package let didEnd: @Sendable ((any Error)?) -> Void

  /// Makes a tap.
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
  /// The same system, each run of which is recorded.
  ///
  /// `makeTap` is called at the beginning of a run, and gets it: for its identity, and to control it
  /// later. A run that is not to be recorded has no tap.
  package func recorded(
    by makeTap: @escaping @Sendable (FeedbackRun<State, Event>) -> FeedbackTap<State, Event>?
  ) -> FeedbackSystem {
    var system = self
    system.makeTap = makeTap
    return system
  }

  /// What a state asks the loops for, in their order; it depends on nothing else, so that a replay
  /// finds the same.
  package func requests(in state: State, after event: Event? = nil) -> [FeedbackRequests] {
    requests(in: FeedbackMoment(state: state, event: event))
  }

  func requests(in moment: FeedbackMoment<State, Event>) -> [FeedbackRequests] {
    loops.map { FeedbackRequests(loop: $0.name, ids: $0.requestIDs(moment)) }
  }
}
