/// The states of a run, as a loop sees them.
///
/// The first `for await` of a loop gets every state from the initial one on, also when it begins
/// late: up to 1,024 states are kept for it, and when more have passed it starts with the current
/// one. Any further `for await` in the same loop starts with the current state. Both end with the
/// run.
///
/// Each state is put into the loop's buffer before the outside gets it. The loop's own code runs in a
/// task of its own: on the shared pool it runs at the same time as the outside's.
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

  /// Gives the next moment; the consumer ends when the closure is released.
  typealias Pull = @Sendable () async -> FeedbackMoment<State, Event>?

  private let consume: @Sendable (FeedbackBuffer, _ beforeStart: Bool) -> Pull
  private let buffer: FeedbackBuffer
  /// Says that no code of the loop that was not registered before the start will listen.
  let stopKeeping: @Sendable () -> Void

  init(_ hub: FeedbackHub<State, Event>) {
    buffer = .wait(limit: 64)
    consume = { buffer, beforeStart in
      let consumer = FeedbackConsumer(of: hub, buffer: buffer, beforeStart: beforeStart)
      return { await consumer.channel.next() }
    }
    stopKeeping = { hub.stopKeeping() }
  }

  private init(
    buffer: FeedbackBuffer,
    consume: @escaping @Sendable (FeedbackBuffer, _ beforeStart: Bool) -> Pull,
    stopKeeping: @escaping @Sendable () -> Void
  ) {
    self.buffer = buffer
    self.consume = consume
    self.stopKeeping = stopKeeping
  }

  /// Registers a consumer while the loops are being started, before there is a state.
  func consumeBeforeStart() -> Pull { consume(buffer, true) }

  /// The same states, with another way to wait for a slow consumer. Default: 64, then the run waits.
  ///
  /// ```swift
  /// let loop = Feedback<Int, Never>("draw") { states, _ in
  ///   for await state in states.buffered(.newest(limit: 1)) { print(state) }
  /// }
  /// ```
  public func buffered(_ buffer: FeedbackBuffer) -> FeedbackStates {
    FeedbackStates(buffer: buffer, consume: consume, stopKeeping: stopKeeping)
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
  public func makeAsyncIterator() -> Iterator { Iterator(pull: consume(buffer, false)) }

  /// The states as part of a larger or smaller system sees them.
  func map<OtherState: Sendable, OtherEvent: Sendable>(
    _ transform:
      @escaping @Sendable (FeedbackMoment<State, Event>) -> FeedbackMoment<OtherState, OtherEvent>
  ) -> FeedbackStates<OtherState, OtherEvent> {
    FeedbackStates<OtherState, OtherEvent>(
      buffer: buffer,
      consume: { [consume] buffer, beforeStart in
        let next = consume(buffer, beforeStart)
        return { await next().map(transform) }
      }, stopKeeping: stopKeeping)
  }

  /// One consumer of the states.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pull: Pull

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
      Iterator(pull: states.consume(states.buffer, false))
    }

    /// One consumer of the moments.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let pull: Pull

      /// The next moment; nil when the run is over or the task is cancelled.
      public func next() async -> FeedbackMoment<State, Event>? { await pull() }

      /// The next moment; nil when the run is over or the task is cancelled.
      public func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await pull()
      }
    }
  }
}
