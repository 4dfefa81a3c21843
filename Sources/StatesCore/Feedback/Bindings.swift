import Synchronization

/// What `bind` connects to a run: observers that render its states, and sources of events.
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
    fileprivate typealias Body = @Sendable () async throws -> Void

    /// Called before the run has its first state, so that what it registers misses none.
    fileprivate let prepare: @Sendable () -> Body
    fileprivate let mayListenLater: Bool

    /// Runs `body` as a task that is canceled when the run ends.
    public init(_ body: @escaping @Sendable () async throws -> Void) {
      self.init(mayListenLater: true) { body }
    }

    /// Calls `cancel` when the run ends, for a listener that was registered in another way.
    ///
    /// ```swift
    /// let subscription = Bindings<Int>.Subscription(onEnd: { print("no longer") })
    /// ```
    public init(onEnd cancel: @escaping @Sendable () -> Void) {
      let body: Body = {
        await Latch().waitUntilOpenOrCanceled()
        cancel()
      }
      self.init(mayListenLater: false) { body }
    }

    fileprivate init(mayListenLater: Bool, prepare: @escaping @Sendable () -> Body) {
      self.prepare = prepare
      self.mayListenLater = mayListenLater
    }
  }

  /// Where events come from.
  public struct Source: Sendable {
    fileprivate typealias Body = @Sendable (Emit<Event>) async throws -> Void

    /// Called before the run has its first state, so that what it registers misses none.
    fileprivate let prepare: @Sendable () -> Body
    fileprivate let mayListenLater: Bool

    /// Runs `body` as a task that is canceled when the run ends.
    public init(_ body: @escaping @Sendable (Emit<Event>) async throws -> Void) {
      prepare = { body }
      mayListenLater = true
    }

    /// The elements of a sequence.
    public static func from<Events: AsyncSequence & Sendable>(_ events: Events) -> Source
    where Events.Element == Event {
      Source(preparing: {
        let started = Mutex(Optional(events.makeAsyncIterator()))
        return { emit in
          guard var iterator = started.withLock({ $0.take() }) else { return }
          while let event = try await iterator.next() { emit(event) }
        }
      })
    }

    private init(preparing prepare: @escaping @Sendable () -> Body) {
      self.prepare = prepare
      mayListenLater = false
    }
  }

  /// The listeners.
  public let subscriptions: [Subscription]
  /// Where events come from.
  public let events: [Source]

  /// Makes bindings.
  public init(subscriptions: [Subscription] = [], events: [Source] = []) {
    self.subscriptions = subscriptions
    self.events = events
  }

  /// Whether any of them may start to listen to the states after the run has started.
  var mayListenLater: Bool {
    subscriptions.contains { $0.mayListenLater } || events.contains { $0.mayListenLater }
  }

  /// Runs all of them, and calls `begun` when all have started; returns when all have ended, throws
  /// when one throws.
  func run(_ emit: Emit<Event>, begun: @Sendable () -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var starts: [Latch] = []
      let bodies =
        subscriptions.map { $0.prepare() }
        + events.map { source in
          let body = source.prepare()
          return { try await body(emit) }
        }
      for body in bodies {
        let start = Latch()
        starts.append(start)
        group.addTask {
          start.open()
          try await body()
        }
      }
      for start in starts { await start.wait() }
      begun()
      // Unlike `waitForAll`, this ends at the first error, and cancels the others.
      while try await group.next() != nil {}
    }
  }
}

extension FeedbackStates {
  /// Calls `body` with each state, one at a time.
  ///
  /// ```swift
  /// let loop = bind("print") { (states: FeedbackStates<Int, Int>) in
  ///   Bindings(subscriptions: [states.subscribe { print($0) }])
  /// }
  /// ```
  public func subscribe(
    _ body: @escaping @Sendable (State) async throws -> Void
  ) -> Bindings<Event>.Subscription {
    Bindings.Subscription(mayListenLater: false) {
      let next = consumeBeforeStart()
      return { while let state = await next()?.state { try await body(state) } }
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
    Bindings.Subscription(mayListenLater: false) { [weak owner] in
      let next = consumeBeforeStart()
      return { [weak owner] in
        while let state = await next()?.state {
          guard let owner else { return }
          try await body(owner, state)
        }
      }
    }
  }
}
