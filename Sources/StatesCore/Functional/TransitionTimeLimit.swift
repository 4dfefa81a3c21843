/// How long a transition may take before the dispatcher goes on without it.
///
/// ```swift
/// final class Panel: Stateful {
///   private(set) lazy var state = Dispatcher(for: self)
///   static func shown() -> State { state { _ in } }
/// }
/// Panel().state.apply(Panel.shown(), timeLimit: TransitionTimeLimit(.seconds(2)))
/// ```
///
/// When the limit is over, a task on the actor where it was made ends the transition. Made where no
/// actor is known, it is looked at by the next `apply`, or ``Dispatcher/endOverdueTransition()``.
public struct TransitionTimeLimit {
  /// A time limit that has begun.
  struct Running {
    let isOver: () -> Bool
    /// Runs an action when the time is over; nil where there is no actor to run it on.
    let startTimer: (_ action: @escaping () -> Void) -> Task<Void, Never>?
  }

  /// Begins now.
  let start: () -> Running

  /// Limits a transition to that long, by a clock.
  public init<C: Clock>(
    _ duration: Duration, clock: C = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation
  ) where C.Duration == Duration {
    start = {
      let deadline = clock.now.advanced(by: duration)
      return Running(
        isOver: { clock.now >= deadline },
        startTimer: { action in
          // Without an actor the task would run beside the owner.
          guard isolation != nil else { return nil }
          return Task {
            // What a task captures of it makes it run on the actor.
            _ = isolation
            try? await clock.sleep(until: deadline, tolerance: nil)
            if !Task.isCancelled { action() }
          }
        })
    }
  }
}
