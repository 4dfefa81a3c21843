/// Runs one effect for each request that a state has: the general form.
///
/// `requests` returns, for each state, which effects should be running, by id. For each state, in
/// this order:
/// - an id that is live and whose request changed receives the new value through its stream; the
///   effect is not restarted, and equal values are skipped;
/// - a new id starts an effect;
/// - the effects of ids that are gone are canceled.
///
/// An event is handled if its id has stayed live until the event is dequeued. An effect that
/// returns is complete: it is not restarted until its id has been absent for one state.
///
/// ```swift
/// struct Downloads { var speed: [String: Int] = [:] }
/// enum Event { case loaded(String, bytes: Int) }
/// func download() -> Feedback<Downloads, Event> {
///   react(requests: { $0.speed }) { speed, speeds, emit in
///     emit(.loaded("at first", bytes: speed))
///     for await speed in speeds { emit(.loaded("then", bytes: speed)) }
///   }
/// }
/// assert(download().name == "download")
/// ```
///
/// The stream buffers the newest 64 values that the effect has not consumed yet.
public func react<State, Event, ID: Hashable & Sendable, Request: Equatable & Sendable>(
  _ name: String = #function,
  requests: @escaping @Sendable (State) -> [ID: Request],
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects:
    @escaping @Sendable (_ first: Request, _ latest: AsyncStream<Request>, _ emit: Emit<Event>)
    async throws -> Void
) -> Feedback<State, Event> {
  react(name, requests: requests, by: ==, onError: onError, effects: effects)
}

/// Runs one effect for each request that a state has, with a custom equality.
///
/// ```swift
/// let loop: Feedback<[String: Double], String> = react(
///   "gauge", requests: { $0 }, by: { abs($0 - $1) < 0.1 }
/// ) { level, levels, emit in
///   for await level in levels { emit("now \(level)") }
/// }
/// ```
public func react<State, Event, ID: Hashable & Sendable, Request: Sendable>(
  _ name: String = #function,
  requests: @escaping @Sendable (State) -> [ID: Request],
  by areEqual: @escaping @Sendable (Request, Request) -> Bool,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects:
    @escaping @Sendable (_ first: Request, _ latest: AsyncStream<Request>, _ emit: Emit<Event>)
    async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .deliver, by: areEqual, onError: onError,
    requests: { requests($0.state) }, effect: effects)
}

/// Runs one effect for each request that follows from a state and the event that led to it.
///
/// The event is nil for the initial state.
///
/// ```swift
/// let loop: Feedback<Int, String> = react(
///   "undo", requestsAfter: { state, event in event == "deleted" ? ["undo": state] : [:] }
/// ) { state, _, emit in
///   emit("could restore \(state)")
/// }
/// ```
public func react<State, Event, ID: Hashable & Sendable, Request: Equatable & Sendable>(
  _ name: String = #function,
  requestsAfter requests: @escaping @Sendable (State, Event?) -> [ID: Request],
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects:
    @escaping @Sendable (_ first: Request, _ latest: AsyncStream<Request>, _ emit: Emit<Event>)
    async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .deliver, by: ==, onError: onError,
    requests: { requests($0.state, $0.event) }, effect: effects)
}

/// Runs one effect for each request that a state has; effects are sequences of events.
///
/// A convenience. A stream that starts a task of its own leaves the executor of the run, so its
/// tests are not deterministic; those of the forms with `effects` are.
///
/// ```swift
/// let loop: Feedback<[String: Int], Int> = react("double", requests: { $0 }, streams: {
///   _, latest in latest.map { $0 * 2 }
/// })
/// ```
public func react<
  State, Event, ID: Hashable & Sendable, Request: Equatable & Sendable,
  Events: AsyncSequence & Sendable
>(
  _ name: String = #function,
  requests: @escaping @Sendable (State) -> [ID: Request],
  onError: FeedbackErrorPolicy<Event> = .stop,
  streams: @escaping @Sendable (_ first: Request, _ latest: AsyncStream<Request>) -> Events
) -> Feedback<State, Event> where Events.Element == Event {
  react(name, requests: requests, onError: onError) { first, latest, emit in
    for try await event in streams(first, latest) { emit(event) }
  }
}

extension Feedback {
  /// The common form of every `react`: requests by id, and what a changed request does.
  init<ID: Hashable & Sendable, Request: Sendable>(
    name: String, change: RequestLoop<State, Event, ID, Request>.Change,
    by areEqual: @escaping @Sendable (Request, Request) -> Bool,
    onError policy: FeedbackErrorPolicy<Event>,
    requests: @escaping @Sendable (FeedbackMoment<State, Event>) -> [ID: Request],
    describe: @escaping @Sendable (ID, Request) -> String = { id, _ in String(describing: id) },
    effect: @escaping RequestLoop<State, Event, ID, Request>.Effect
  ) {
    self.init(name: name) { moment in
      requests(moment).map(describe).sorted()
    } makeInstance: { context in
      let loop = RequestLoop(
        context: context, onError: policy, change: change, by: areEqual, effect: effect)
      return LoopInstance(
        begin: { [] },
        plan: { loop.plan(for: requests($0), step: $0.number) })
    }
  }
}
