/// Connects a run to the outside: observers that render its states, and sources of events.
///
/// The closure is called once at the start of each run. Subscriptions stay active until the run
/// ends, even without events.
///
/// ```swift
/// let (taps, tap) = AsyncStream.makeStream(of: Int.self)
/// let system = FeedbackSystem(
///   initialState: 0, reduce: { $0 + $1 },
///   feedback: bind { states in
///     Bindings(
///       subscriptions: [states.subscribe { print("now", $0) }],
///       events: [.from(taps)])
///   })
/// tap.yield(1)
/// ```
public func bind<State, Event>(
  _ name: String = #function, onError: FeedbackErrorPolicy<Event> = .stop,
  _ makeBindings:
    @escaping @Sendable (_ states: FeedbackStates<State, Event>) async -> Bindings<Event>
) -> Feedback<State, Event> {
  Feedback(name, onError: onError) { states, emit, begun in
    let bindings = await makeBindings(states)
    if !bindings.mayListenLater { states.stopBuffering() }
    try await bindings.run(emit, begun: begun)
  }
}

/// Connects a run to an object, which the loop holds weakly.
///
/// The closure is called once at the start of each run, with the object; an object that is gone by
/// then is not bound. What the closure keeps is up to it: ``FeedbackStates/subscribe(_:_:)`` with
/// the object holds it weakly, too.
///
/// ```swift
/// final class Screen: Sendable {
///   let taps = AsyncStream<Int> { $0.finish() }
///   func show(_ number: Int) { print(number) }
///   func loop() -> Feedback<Int, Int> {
///     bind(self) { me, states in
///       Bindings(
///         subscriptions: [states.subscribe(me) { @MainActor me, number in me.show(number) }],
///         events: [.from(me.taps)])
///     }
///   }
/// }
/// ```
public func bind<Owner: AnyObject & Sendable, State, Event>(
  _ owner: Owner, name: String = #function, onError: FeedbackErrorPolicy<Event> = .stop,
  _ makeBindings:
    @escaping @Sendable (_ owner: Owner, _ states: FeedbackStates<State, Event>) async ->
    Bindings<Event>
) -> Feedback<State, Event> {
  bind(name, onError: onError) { [weak owner] states in
    guard let owner else { return Bindings() }
    return await makeBindings(owner, states)
  }
}
