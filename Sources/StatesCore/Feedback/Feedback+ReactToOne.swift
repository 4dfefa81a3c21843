/// Runs an effect for as long as a state has this request.
///
/// A changed request starts a new effect, then cancels the old one; nil cancels it.
///
/// ```swift
/// struct Search { var query: String? }
/// enum Event { case found([String]) }
/// func load() -> Feedback<Search, Event> {
///   react(request: { $0.query }) { query, emit in emit(.found([query])) }
/// }
/// ```
public func react<State, Event, Request: Equatable & Sendable>(
  _ name: String = #function,
  request: @escaping @Sendable (State) -> Request?,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ request: Request, _ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  react(name, request: request, by: ==, onError: onError, effects: effects)
}

/// Runs an effect for as long as a state has this request, with a custom equality.
///
/// ```swift
/// struct Place: Sendable { var id: Int; var seenAt: Int }
/// let loop: Feedback<Place?, String> = react("load", request: { $0 }, by: { $0.id == $1.id }) {
///   place, emit in
///   emit("place \(place.id)")
/// }
/// ```
public func react<State, Event, Request: Sendable>(
  _ name: String = #function,
  request: @escaping @Sendable (State) -> Request?,
  by areEqual: @escaping @Sendable (Request, Request) -> Bool,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ request: Request, _ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .restart, by: areEqual, onError: onError,
    requests: { moment in request(moment.state).map { [Single.id: $0] } ?? [:] },
    describe: { _, request in String(describing: request) },
    effect: { request, _, emit in try await effects(request, emit) })
}

/// Runs an effect for as long as a state requests it.
///
/// ```swift
/// struct Favorites { var sync: Void? }
/// enum Event { case synced }
/// func sync() -> Feedback<Favorites, Event> {
///   react(request: { $0.sync }) { emit in emit(.synced) }
/// }
/// ```
public func react<State, Event>(
  _ name: String = #function,
  request: @escaping @Sendable (State) -> Void?,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .ignore, by: ==, onError: onError,
    requests: { moment in request(moment.state) == nil ? [:] : [Single.id: Single.id] },
    effect: { _, _, emit in try await effects(emit) })
}

/// Runs an effect for as long as a state has this request; the effect is a sequence of events.
///
/// A convenience. A stream that starts a task of its own leaves the executor of the run, so its
/// tests are not deterministic; those of the forms with `effects` are.
///
/// ```swift
/// let loop: Feedback<Int?, Int> = react("count", request: { $0 }, streams: { limit in
///   AsyncStream { events in
///     for number in 0..<limit { events.yield(number) }
///     events.finish()
///   }
/// })
/// ```
public func react<
  State, Event, Request: Equatable & Sendable, Events: AsyncSequence & Sendable
>(
  _ name: String = #function,
  request: @escaping @Sendable (State) -> Request?,
  onError: FeedbackErrorPolicy<Event> = .stop,
  streams: @escaping @Sendable (_ request: Request) -> Events
) -> Feedback<State, Event> where Events.Element == Event {
  react(name, request: request, onError: onError) { request, emit in
    for try await event in streams(request) { emit(event) }
  }
}

/// Runs one effect for each member of a set, for as long as it is a member.
///
/// ```swift
/// let loop: Feedback<Set<String>, String> = react("thumbnails", requests: { $0 }) { url, emit in
///   emit("loaded \(url)")
/// }
/// ```
public func react<State, Event, Request: Hashable & Sendable>(
  _ name: String = #function,
  requests: @escaping @Sendable (State) -> Set<Request>,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ request: Request, _ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .ignore, by: ==, onError: onError,
    requests: { moment in
      Dictionary(requests(moment.state).map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    },
    effect: { request, _, emit in try await effects(request, emit) })
}

/// Runs an effect from the state in which a condition becomes true until it is no longer true.
///
/// The effect receives the state in which it became true, which may be the initial state.
///
/// ```swift
/// let loop: Feedback<Int, String> = react("alarm", whenBecomesTrue: { $0 > 100 }) { level, emit in
///   emit("rose to \(level)")
/// }
/// ```
public func react<State: Sendable, Event>(
  _ name: String = #function,
  whenBecomesTrue condition: @escaping @Sendable (State) -> Bool,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ state: State, _ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  react(
    name, firstValueAfterNil: { condition($0) ? $0 : nil }, onError: onError, effects: effects)
}

/// Runs an effect with the first value after nil, until the value is nil again.
///
/// Later values have no effect. A value in the initial state counts as the first.
///
/// ```swift
/// let loop: Feedback<String?, String> = react("greet", firstValueAfterNil: { $0 }) { name, emit in
///   emit("hello \(name)")
/// }
/// ```
public func react<State, Event, Request: Sendable>(
  _ name: String = #function,
  firstValueAfterNil request: @escaping @Sendable (State) -> Request?,
  onError: FeedbackErrorPolicy<Event> = .stop,
  effects: @escaping @Sendable (_ request: Request, _ emit: Emit<Event>) async throws -> Void
) -> Feedback<State, Event> {
  Feedback(
    name: name, change: .ignore, by: { _, _ in true }, onError: onError,
    requests: { moment in request(moment.state).map { [Single.id: $0] } ?? [:] },
    effect: { request, _, emit in try await effects(request, emit) })
}

/// The id of the single request.
private enum Single: Hashable, Sendable, CustomStringConvertible {
  case id

  var description: String { "requested" }
}
