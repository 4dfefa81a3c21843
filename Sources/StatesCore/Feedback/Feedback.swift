/// A feedback loop: it sees the states of a run and responds with events.
///
/// Most loops are made by `react` (an effect that runs for as long as a state requests it) and
/// `bind` (something outside that renders states and sends events). Both build on the initializer
/// here: a body that runs for as long as the run does.
///
/// ```swift
/// let loop = Feedback<Int, String>("thirds") { states, emit in
///   for await state in states where state.isMultiple(of: 3) { emit("third") }
/// }
/// ```
///
/// **Errors.** Each loop has a policy for the errors of its effects. `retry` restarts the body.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// The name in recordings and errors; made unique within a system.
  ///
  /// By default it is the name of the function that makes the loop.
  public let name: String

  /// Makes the loop's instance for one run.
  let makeInstance: @Sendable (LoopContext<State, Event>) -> LoopInstance<State, Event>
  /// The ids of a state's requests to the loop, as text; they depend on nothing else.
  let requestIDs: @Sendable (FeedbackMoment<State, Event>) -> [String]

  init(
    name: String,
    requestIDs: @escaping @Sendable (FeedbackMoment<State, Event>) -> [String] = { _ in [] },
    makeInstance: @escaping @Sendable (LoopContext<State, Event>) -> LoopInstance<State, Event>
  ) {
    // `#function` of a function without parameters ends with empty parentheses.
    self.name = name.hasSuffix("()") ? String(name.dropLast(2)) : name
    self.requestIDs = requestIDs
    self.makeInstance = makeInstance
  }

  /// Makes a loop from a body.
  ///
  /// The bodies of all loops are called, in order, before the initial state reaches any of them. A
  /// body that returns is complete. A running body is canceled with the run.
  public init(
    _ name: String = #function, onError: FeedbackErrorPolicy<Event> = .stop,
    body:
      @escaping @Sendable (FeedbackStates<State, Event>, Emit<Event>) async throws -> Void
  ) {
    self.init(name, onError: onError) { states, emit, begun in
      begun()
      try await body(states, emit)
    }
  }

  /// Makes a loop from a body that reports when it has begun.
  init(
    _ name: String, onError: FeedbackErrorPolicy<Event>,
    bodyThatBegins body:
      @escaping @Sendable (
        FeedbackStates<State, Event>, Emit<Event>, _ begun: @Sendable () -> Void
      ) async throws -> Void
  ) {
    self.init(name: name) { context in
      LoopInstance(
        begin: {
          let scope = EffectScope()
          return [
            context.makeWork(in: scope, onError: onError) { emit in
              try await body(context.states, emit) { scope.begin() }
            }
          ]
        },
        plan: { _ in LoopPlan() })
    }
  }

  /// Returns the same loop under another name.
  ///
  /// ```swift
  /// let loop = Feedback<Int, Int>("a") { _, _ in }.named("b")
  /// assert(loop.name == "b")
  /// ```
  public func named(_ name: String) -> Feedback {
    Feedback(name: name, requestIDs: requestIDs, makeInstance: makeInstance)
  }
}
