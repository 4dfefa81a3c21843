extension Feedback {
  /// Returns the loop as a part of a larger system.
  ///
  /// `state` extracts the loop's part of the larger state, `event` wraps its events into larger
  /// ones. A loop that uses the event that led to a state also needs `part`.
  ///
  /// ```swift
  /// struct App { var count = 0 }
  /// enum AppEvent { case counter(String), other }
  /// let counter: Feedback<Int, String> = react("full", request: { $0 == 9 ? $0 : nil }) { _, emit in
  ///   emit("reset")
  /// }
  /// let loop: Feedback<App, AppEvent> = counter.pullback(
  ///   state: { $0.count }, event: { .counter($0) },
  ///   part: { if case .counter(let event) = $0 { event } else { nil } })
  /// ```
  public func pullback<LargeState: Sendable, LargeEvent: Sendable>(
    state: @escaping @Sendable (LargeState) -> State,
    event: @escaping @Sendable (Event) -> LargeEvent,
    part: @escaping @Sendable (LargeEvent) -> Event? = { _ in nil }
  ) -> Feedback<LargeState, LargeEvent> {
    let small: @Sendable (FeedbackMoment<LargeState, LargeEvent>) -> FeedbackMoment<State, Event> =
      { moment in
        FeedbackMoment(
          state: state(moment.state), event: moment.event.flatMap(part), number: moment.number)
      }
    return Feedback<LargeState, LargeEvent>(name: name) { [requestIDs] moment in
      requestIDs(small(moment))
    } makeInstance: { [makeInstance] context in
      let instance = makeInstance(
        LoopContext<State, Event>(
          name: context.name, states: context.states.map(small), clock: context.clock,
          send: { context.send(event($0), $1, $2) }, report: context.report,
          cause: context.cause, count: context.count))
      return LoopInstance<LargeState, LargeEvent>(
        begin: instance.begin, plan: { instance.plan(small($0)) })
    }
  }
}
