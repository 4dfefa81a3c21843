/// A loop in one run: what it starts with, and what each state makes it do.
///
/// Only the run's own task touches it.
struct LoopInstance<State: Sendable, Event: Sendable> {
  /// What runs from the beginning.
  let begin: () -> [LoopWork]
  /// What a state makes the loop do.
  let plan: (FeedbackMoment<State, Event>) -> LoopPlan
}

/// What a state makes a loop do: in this order.
struct LoopPlan {
  /// Effects that go on get the new value of their request.
  var deliveries: [() -> Void] = []
  /// New effects start.
  var launches: [LoopWork] = []
  /// Effects that nobody asks for any more are cancelled.
  var closings: [EffectScope] = []
}

/// Something to run as a task of its own.
struct LoopWork: Sendable {
  let scope: EffectScope
  let perform: @Sendable () async -> Void
}

/// What a loop has of the run it is in.
struct LoopContext<State: Sendable, Event: Sendable>: Sendable {
  let name: String
  let states: FeedbackStates<State, Event>
  let clock: any Clock<Duration>
  /// Sends an event; never waits.
  let send: @Sendable (Event, EffectScope, CallSite) -> Void
  /// Reports an error that nothing turned into an event.
  let report: @Sendable (any Error, _ stopping: EffectScope?) -> Void
  /// What an effect that is started in a step is caused by; nil when nobody records.
  let cause: @Sendable (_ step: Int) -> Cause?
  /// Counts the bodies that run.
  let count: @Sendable (Int) -> Void

  /// Makes a piece of work that treats errors as the policy says.
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
        // After cancelling, an error only says that the effect noticed.
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
