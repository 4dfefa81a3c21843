/// The states of a run, for those inside a loop who want them.
///
/// Each consumer starts with the state there is when it starts, and then gets every later one, each
/// before the outside does. It ends with the run.
///
/// ```swift
/// let loop = Feedback<Int, String>("watch") { states, emit in
///   for await state in states where state == 3 { emit("three") }
/// }
/// ```
public struct FeedbackStates<State: Sendable, Event: Sendable>: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = State
  /// It cannot fail.
  public typealias Failure = Never

  /// Makes a consumer: a closure that gives the next moment, and ends when it is released.
  private let consume: @Sendable (FeedbackBuffer) -> () async -> FeedbackMoment<State, Event>?
  private let buffer: FeedbackBuffer

  init(_ hub: FeedbackHub<State, Event>) {
    buffer = .wait(limit: 64)
    consume = { buffer in
      let consumer = FeedbackConsumer(of: hub, buffer: buffer)
      return { await consumer.channel.next() }
    }
  }

  private init(
    buffer: FeedbackBuffer,
    consume: @escaping @Sendable (FeedbackBuffer) -> () async -> FeedbackMoment<State, Event>?
  ) {
    self.buffer = buffer
    self.consume = consume
  }

  /// The same states, with another way to wait for a slow consumer. Default: 64, then the run waits.
  ///
  /// ```swift
  /// let loop = Feedback<Int, Never>("draw") { states, _ in
  ///   for await state in states.buffered(.newest(limit: 1)) { print(state) }
  /// }
  /// ```
  public func buffered(_ buffer: FeedbackBuffer) -> FeedbackStates {
    FeedbackStates(buffer: buffer, consume: consume)
  }

  /// The states together with the events that led to them.
  ///
  /// ```swift
  /// let log = Feedback<Int, String>("log") { states, _ in
  ///   for await moment in states.moments { print(moment.event ?? "start", moment.state) }
  /// }
  /// ```
  public var moments: Moments { Moments(states: self) }

  /// Starts a consumer.
  public func makeAsyncIterator() -> Iterator { Iterator(pull: consume(buffer)) }

  /// The states as part of a larger or smaller system sees them.
  func map<OtherState: Sendable, OtherEvent: Sendable>(
    _ transform:
      @escaping @Sendable (FeedbackMoment<State, Event>) -> FeedbackMoment<OtherState, OtherEvent>
  ) -> FeedbackStates<OtherState, OtherEvent> {
    FeedbackStates<OtherState, OtherEvent>(buffer: buffer) { [consume] buffer in
      let next = consume(buffer)
      return { await next().map(transform) }
    }
  }

  /// One consumer of the states.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pull: () async -> FeedbackMoment<State, Event>?

    /// The next state; nil when the run is over or the task is cancelled.
    public func next() async -> State? { await pull()?.state }

    /// The next state; nil when the run is over or the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> State? {
      await pull()?.state
    }
  }

  /// States together with the events that led to them.
  public struct Moments: AsyncSequence, Sendable {
    /// What the sequence gives.
    public typealias Element = FeedbackMoment<State, Event>
    /// It cannot fail.
    public typealias Failure = Never

    fileprivate let states: FeedbackStates

    /// Starts a consumer.
    public func makeAsyncIterator() -> Iterator {
      Iterator(pull: states.consume(states.buffer))
    }

    /// One consumer of the moments.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let pull: () async -> FeedbackMoment<State, Event>?

      /// The next moment; nil when the run is over or the task is cancelled.
      public func next() async -> FeedbackMoment<State, Event>? { await pull() }

      /// The next moment; nil when the run is over or the task is cancelled.
      public func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await pull()
      }
    }
  }
}
