/// How long a transition may take before the dispatcher continues without it.
///
/// ```swift
/// final class Panel: Stateful {
///   private(set) lazy var state = Dispatcher(for: self)
///   static func shown() -> State { state { _ in } }
/// }
/// Panel().state.apply(Panel.shown(), timeLimit: TransitionTimeLimit(.seconds(2)))
/// ```
///
/// When the time is up, a task on the actor where the limit was made ends the transition. A limit
/// that was made outside an actor is checked by the next `apply`, or by
/// ``Dispatcher/endOverdueTransition()``.
public struct TransitionTimeLimit {
  /// A time limit that has started.
  struct Running {
    let isOver: () -> Bool
    /// Runs an action when the time is up; returns nil without an actor to run it on.
    let startTimer: (_ action: @escaping () -> Void) -> Task<Void, Never>?
  }

  let start: () -> Running

  /// Makes a limit that is measured by a clock.
  public init<C: Clock>(
    _ duration: Duration, clock: C = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation
  ) where C.Duration == Duration {
    start = {
      let deadline = clock.now.advanced(by: duration)
      return Running(
        isOver: { clock.now >= deadline },
        startTimer: { action in
          // Without an actor the task would run concurrently with the owner.
          guard isolation != nil else { return nil }
          return Task {
            // Capturing the actor makes the task run on it.
            _ = isolation
            try? await clock.sleep(until: deadline, tolerance: nil)
            if !Task.isCancelled { action() }
          }
        })
    }
  }
}
