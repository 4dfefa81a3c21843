import Synchronization

/// Maintains one effect for each request that a state has: the state machine behind every `react`.
///
/// Confined to the task of its run.
final class RequestLoop<State: Sendable, Event: Sendable, ID: Hashable, Request: Sendable> {
  /// What a new value for a live id does.
  enum Change {
    case deliver
    /// A new effect starts, then the old one is canceled.
    case restart
    /// Nothing: only the first counts.
    case ignore
  }

  typealias Effect = @Sendable (Request, AsyncStream<Request>, Emit<Event>) async throws -> Void

  private struct Live {
    let scope: EffectScope
    let latest: LatestRequest<Request>
  }

  private let context: LoopContext<State, Event>
  private let policy: FeedbackErrorPolicy<Event>
  private let change: Change
  private let areEqual: @Sendable (Request, Request) -> Bool
  private let effect: Effect
  private var live: [ID: Live] = [:]

  init(
    context: LoopContext<State, Event>, onError policy: FeedbackErrorPolicy<Event>,
    change: Change, by areEqual: @escaping @Sendable (Request, Request) -> Bool,
    effect: @escaping Effect
  ) {
    self.context = context
    self.policy = policy
    self.change = change
    self.areEqual = areEqual
    self.effect = effect
  }

  /// The changes that leave exactly one effect for each of `requests`.
  func plan(for requests: [ID: Request], step: Int) -> LoopPlan {
    var plan = LoopPlan()
    for (id, request) in Self.ordered(requests) {
      guard let running = live[id] else {
        plan.launches.append(start(request, for: id, step: step))
        continue
      }
      guard change != .ignore, !areEqual(running.latest.current, request) else { continue }
      if change == .deliver {
        plan.deliveries.append { running.latest.deliver(request) }
      } else {
        plan.closings.append(running.scope)
        plan.launches.append(start(request, for: id, step: step))
      }
    }
    for (id, running) in Self.ordered(live) where requests[id] == nil {
      live[id] = nil
      plan.closings.append(running.scope)
    }
    return plan
  }

  private func start(_ request: Request, for id: ID, step: Int) -> LoopWork {
    let scope = EffectScope(cause: context.cause(step))
    let latest = LatestRequest(request)
    live[id] = Live(scope: scope, latest: latest)
    return context.makeWork(in: scope, onError: policy) { [effect] emit in
      // A new attempt starts with the newest value, and a stream of its own.
      let (first, stream) = latest.makeStream()
      scope.begin()
      try await effect(first, stream, emit)
    }
  }

  /// Sorted into an order that is the same in every process; a dictionary's is not.
  private static func ordered<Value>(_ dictionary: [ID: Value]) -> [(key: ID, value: Value)] {
    guard dictionary.count > 1 else { return dictionary.map { ($0.key, $0.value) } }
    return dictionary.map { (text: String(describing: $0.key), pair: $0) }
      .sorted { $0.text < $1.text }
      .map { ($0.pair.key, $0.pair.value) }
  }
}

/// The newest value of a request, and the stream through which its effect receives later ones.
private final class LatestRequest<Request: Sendable>: Sendable {
  private struct Contents {
    var current: Request
    var continuation: AsyncStream<Request>.Continuation?
  }

  private let contents: Mutex<Contents>

  init(_ request: Request) {
    contents = Mutex(Contents(current: request))
  }

  var current: Request { contents.withLock { $0.current } }

  func deliver(_ request: Request) {
    let continuation = contents.withLock { contents in
      contents.current = request
      return contents.continuation
    }
    continuation?.yield(request)
  }

  func makeStream() -> (Request, AsyncStream<Request>) {
    // An effect that is this far behind needs only the newest values.
    let (stream, continuation) = AsyncStream.makeStream(
      of: Request.self, bufferingPolicy: .bufferingNewest(64))
    let current = contents.withLock { contents in
      contents.continuation = continuation
      return contents.current
    }
    return (current, stream)
  }
}
