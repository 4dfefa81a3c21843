extension Feedback {
  /// Makes a loop that runs another system.
  ///
  /// `makeSystem` is called once at the start of the run and receives the outer states, so that the
  /// inner system's loops can listen to them. Each inner state may become an outer event. The inner
  /// run consists of child tasks: it uses the outer run's executor unless it has its own, and it
  /// ends with the outer run.
  ///
  /// ```swift
  /// let loop: Feedback<Int, String> = .running("inner") { outer in
  ///   FeedbackSystem(
  ///     initialState: 0, reduce: { $0 + $1 },
  ///     feedback: Feedback("follow") { _, emit in for await state in outer { emit(state) } })
  /// } event: { sum in
  ///   sum > 100 ? "full" : nil
  /// }
  /// ```
  public static func running<InnerState, InnerEvent>(
    _ name: String = #function, onError: FeedbackErrorPolicy<Event> = .stop,
    _ makeSystem:
      @escaping @Sendable (FeedbackStates<State, Event>) -> FeedbackSystem<InnerState, InnerEvent>,
    event: @escaping @Sendable (InnerState) -> Event?
  ) -> Feedback {
    Feedback(name, onError: onError) { states, emit in
      try await makeSystem(states).forEachState { state in
        if let event = event(state) { emit(event) }
      }
    }
  }
}
