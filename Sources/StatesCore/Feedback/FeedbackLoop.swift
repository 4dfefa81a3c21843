/// A loop in one run: its initial work, and what it does for each state.
///
/// Only the run's own task touches it.
struct LoopInstance<State: Sendable, Event: Sendable> {
  /// Returns the initial work.
  let begin: () -> [LoopWork]
  let plan: (FeedbackMoment<State, Event>) -> LoopPlan
}

/// What a loop does for a state, in this order.
struct LoopPlan {
  /// Running effects receive the new value of their request.
  var deliveries: [() -> Void] = []
  /// New effects start.
  var launches: [LoopWork] = []
  /// Effects that the state no longer requests are canceled.
  var closings: [EffectScope] = []
}

/// Work to run as a separate task.
struct LoopWork: Sendable {
  let scope: EffectScope
  let perform: @Sendable () async -> Void
}

/// A loop's access to its run.
struct LoopContext<State: Sendable, Event: Sendable>: Sendable {
  let name: String
  let states: FeedbackStates<State, Event>
  let clock: any Clock<Duration>
  /// Sends an event; never waits.
  let send: @Sendable (Event, EffectScope, CallSite) -> Void
  /// Reports an error that no policy turned into an event.
  let report: @Sendable (any Error, _ stopping: EffectScope?) -> Void
  /// The cause of an effect that is started in a step; nil if the run is not recorded.
  let cause: @Sendable (_ step: Int) -> Cause?
  /// Adds to the number of running bodies.
  let count: @Sendable (Int) -> Void

  /// Makes work that handles errors according to the policy.
  func makeWork(
    in scope: EffectScope, onError policy: FeedbackErrorPolicy<Event>,
    _ body: @escaping @Sendable (Emit<Event>) async throws -> Void
  ) -> LoopWork {
    let emit = Emit<Event> { event, callSite in
      if scope.hasEnded {
        report(FeedbackError.sentAfterReturning, nil)
      } else {
        send(event, scope, callSite)
      }
    }
    return LoopWork(scope: scope) {
      count(1)
      await scope.run {
        guard let cause = scope.cause else {
          return await attempt(body, emit, in: scope, onError: policy)
        }
        await Cause.with(cause) {
          await attempt(body, emit, in: scope, onError: policy)
        }
      }
      count(-1)
    }
  }

  /// Calls `body` until it returns or its errors are used up.
  private func attempt(
    _ body: @Sendable (Emit<Event>) async throws -> Void, _ emit: Emit<Event>,
    in scope: EffectScope, onError policy: FeedbackErrorPolicy<Event>
  ) async {
    var failures = 0
    while true {
      do {
        return try await finish(body, emit, in: scope)
      } catch {
        // After cancellation, an error only means that the effect noticed it.
        guard scope.isOpen, !Task.isCancelled else { return }
        failures += 1
        switch policy.decision(about: error, failures: failures) {
        case .stop:
          scope.end()
          return report(error, scope)
        case .ignore:
          scope.end()
          return report(error, nil)
        case .send(let event):
          emit(event)
          return scope.end()
        case .startAgain(let delay):
          do { try await clock.sleep(for: delay) } catch { return }
        }
      }
    }
  }

  private func finish(
    _ body: @Sendable (Emit<Event>) async throws -> Void, _ emit: Emit<Event>,
    in scope: EffectScope
  ) async throws {
    try await body(emit)
    scope.end()
  }
}
