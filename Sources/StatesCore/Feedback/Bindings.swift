/// What `bind` connects a run with: what renders its states, and where events come from.
///
/// ```swift
/// let (taps, _) = AsyncStream.makeStream(of: String.self)
/// let loop = bind("counter") { (states: FeedbackStates<Int, String>) in
///   Bindings(
///     subscriptions: [states.subscribe { print($0) }],
///     events: [.from(taps)])
/// }
/// ```
public struct Bindings<Event: Sendable>: Sendable {
  /// Something that listens for as long as the run lasts.
  public struct Subscription: Sendable {
    fileprivate let body: @Sendable () async throws -> Void

    /// Runs `body` as a task that is cancelled when the run ends.
    public init(_ body: @escaping @Sendable () async throws -> Void) {
      self.body = body
    }

    /// Calls `cancel` when the run ends: for what is listened to in another way.
    ///
    /// ```swift
    /// let subscription = Bindings<Int>.Subscription(onEnd: { print("no longer") })
    /// ```
    public init(onEnd cancel: @escaping @Sendable () -> Void) {
      self.init {
        await Latch().waitOrCancelled()
        cancel()
      }
    }
  }

  /// Where events come from.
  public struct Source: Sendable {
    fileprivate let body: @Sendable (Emit<Event>) async throws -> Void

    /// Runs `body` as a task that is cancelled when the run ends.
    public init(_ body: @escaping @Sendable (Emit<Event>) async throws -> Void) {
      self.body = body
    }

    /// The elements of a sequence.
    public static func from<Events: AsyncSequence & Sendable>(_ events: Events) -> Source
    where Events.Element == Event {
      Source { emit in
        for try await event in events { emit(event) }
      }
    }
  }

  /// What listens.
  public let subscriptions: [Subscription]
  /// Where events come from.
  public let events: [Source]

  /// Puts bindings together.
  public init(subscriptions: [Subscription] = [], events: [Source] = []) {
    self.subscriptions = subscriptions
    self.events = events
  }

  /// Runs all of them, and says when all have begun; returns when all have ended, throws when one
  /// throws.
  func run(_ emit: Emit<Event>, begun: @Sendable () -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let starts = (0..<(subscriptions.count + events.count)).map { _ in Latch() }
      for (subscription, start) in zip(subscriptions, starts) {
        group.addTask {
          start.open()
          try await subscription.body()
        }
      }
      for (source, start) in zip(events, starts.dropFirst(subscriptions.count)) {
        group.addTask {
          start.open()
          try await source.body(emit)
        }
      }
      for start in starts { await start.wait() }
      begun()
      try await group.waitForAll()
    }
  }
}

extension FeedbackStates {
  /// Calls `body` with each state, one after the other.
  ///
  /// ```swift
  /// let loop = bind("print") { (states: FeedbackStates<Int, Int>) in
  ///   Bindings(subscriptions: [states.subscribe { print($0) }])
  /// }
  /// ```
  public func subscribe(
    _ body: @escaping @Sendable (State) async throws -> Void
  ) -> Bindings<Event>.Subscription {
    Bindings.Subscription {
      for await state in self { try await body(state) }
    }
  }

  /// Calls `body` with an object and each state, for as long as the object lives.
  ///
  /// The object is held weakly.
  ///
  /// ```swift
  /// @MainActor final class Label { var text = "" }
  /// @MainActor func show(in label: Label) -> Feedback<Int, Int> {
  ///   bind(label) { label, states in
  ///     Bindings(subscriptions: [
  ///       states.subscribe(label) { @MainActor label, state in label.text = "\(state)" }
  ///     ])
  ///   }
  /// }
  /// ```
  public func subscribe<Owner: AnyObject & Sendable>(
    _ owner: Owner, _ body: @escaping @Sendable (Owner, State) async throws -> Void
  ) -> Bindings<Event>.Subscription {
    Bindings.Subscription { [weak owner] in
      for await state in self {
        guard let owner else { return }
        try await body(owner, state)
      }
    }
  }
}
