import StatesCore

/// The kinds of loops, each passing what it receives to a closure.
enum FeedbackKind: String, CaseIterable {
  case raw, main, moments, subscribe, owner, subscription, source, pulledBack, inner
  case request, requests, requestsAfter, requestSet, requestStream, becomesTrue

  /// What a loop of this kind gets of the states 0, 1, 2, … `last`, and of later ones with the value
  /// `last`, if its requests are the values.
  enum Delivery {
    /// Every state, in order.
    case states
    /// Every value, in order, and none twice.
    case values
    /// Every value once. An effect that is replaced may still run next to the one that replaces it.
    case effects
    /// The last value.
    case last
  }

  var delivery: Delivery {
    switch self {
    case .raw, .main, .moments, .subscribe, .owner, .subscription, .source, .pulledBack, .inner:
      .states
    case .requests, .requestsAfter: .values
    case .request, .requestSet, .requestStream: .effects
    case .becomesTrue: .last
    }
  }

  /// An object that a loop holds weakly.
  final class Owner: Sendable {}

  /// A loop of a kind that receives states.
  ///
  /// One that begins to listen in its own task calls `wait` before.
  func loop<State: Sendable, Event: Sendable>(
    owner: Owner = Owner(), wait: @escaping @Sendable () async -> Void = {},
    _ receive: @escaping @Sendable (State, (Event) -> Void) -> Void
  ) -> Feedback<State, Event>? {
    switch self {
    case .raw: .raw(wait, receive)
    case .main:
      Feedback(rawValue) { @MainActor states, emit in
        await wait()
        for await state in states { receive(state) { emit($0) } }
      }
    case .moments:
      Feedback(rawValue) { states, emit in
        await wait()
        for await moment in states.moments { receive(moment.state) { emit($0) } }
      }
    case .subscribe, .owner, .subscription, .source: bound(owner, wait, receive)
    case .pulledBack: Feedback.raw(wait, receive).pullback(state: { $0 }, event: { $0 })
    case .inner: .inner(wait, receive)
    case .request, .requests, .requestsAfter, .requestSet, .requestStream, .becomesTrue: nil
    }
  }

  private func bound<State: Sendable, Event: Sendable>(
    _ owner: Owner, _ wait: @escaping @Sendable () async -> Void,
    _ receive: @escaping @Sendable (State, (Event) -> Void) -> Void
  ) -> Feedback<State, Event> {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let send: @Sendable (State) -> Void = { state in receive(state) { continuation.yield($0) } }
    if self == .owner {
      return bind(owner, name: rawValue) { owner, states in
        Bindings(
          subscriptions: [states.subscribe(owner) { _, state in send(state) }],
          events: [.from(events)])
      }
    }
    return bind(rawValue) { states in
      let listen: @Sendable () async -> Void = {
        await wait()
        for await state in states { send(state) }
      }
      let sources = [Bindings<Event>.Source.from(events)]
      return switch self {
      case .subscription:
        Bindings(
          subscriptions: [states.subscribe { _ in }, Bindings.Subscription(listen)],
          events: sources)
      case .source: Bindings(events: sources + [Bindings.Source { _ in await listen() }])
      default: Bindings(subscriptions: [states.subscribe(send)], events: sources)
      }
    }
  }

  /// A loop of a kind that has requests.
  func loop<State: Sendable, Event: Sendable>(
    requesting value: @escaping @Sendable (State) -> Int, upTo last: Int,
    _ receive: @escaping @Sendable (Int, (Event) -> Void) -> Void
  ) -> Feedback<State, Event>? {
    let effects: @Sendable (Int, AsyncStream<Int>, Emit<Event>) async -> Void = {
      first, later, emit in
      receive(first) { emit($0) }
      for await value in later { receive(value) { emit($0) } }
    }
    return switch self {
    case .request:
      react(rawValue, request: { value($0) }) { value, emit in
        receive(value) { emit($0) }
        await waitUntilCanceled()
      }
    case .requests: react(rawValue, requests: { ["id": value($0)] }, effects: effects)
    case .requestsAfter:
      react(rawValue, requestsAfter: { state, _ in ["id": value(state)] }, effects: effects)
    case .requestSet:
      react(rawValue, requests: { Set([value($0)]) }) { value, emit in
        receive(value) { emit($0) }
        await waitUntilCanceled()
      }
    case .requestStream:
      react(rawValue, request: { value($0) }) { value in
        AsyncStream { continuation in receive(value) { continuation.yield($0) } }
      }
    case .becomesTrue:
      react(rawValue, whenBecomesTrue: { value($0) == last }) { state, emit in
        receive(value(state)) { emit($0) }
        await waitUntilCanceled()
      }
    case .raw, .main, .moments, .subscribe, .owner, .subscription, .source, .pulledBack, .inner:
      nil
    }
  }
}

extension Feedback {
  fileprivate static func raw(
    _ wait: @escaping @Sendable () async -> Void,
    _ receive: @escaping @Sendable (State, (Event) -> Void) -> Void
  ) -> Feedback {
    Feedback("raw") { states, emit in
      await wait()
      for await state in states { receive(state) { emit($0) } }
    }
  }

  /// A system in the system, whose loop listens to the outer states, and whose states are the events.
  fileprivate static func inner(
    _ wait: @escaping @Sendable () async -> Void,
    _ receive: @escaping @Sendable (State, (Event) -> Void) -> Void
  ) -> Feedback {
    .running("inner") { outer in
      FeedbackSystem<Event?, Event>(
        initialState: nil, reduce: { $1 },
        feedback: Feedback<Event?, Event> { _, emit in
          await wait()
          for await state in outer { receive(state) { emit($0) } }
        })
    } event: {
      $0
    }
  }
}
