/// The states of a run, as a loop sees them.
///
/// The first `for await` of a loop receives every state, starting with the initial one, even if it
/// begins late: up to 1,024 states are buffered for it, and if more have passed it starts with the
/// current one, and the run reports ``FeedbackError/listenedTooLate(missed:)``. Any further `for await` in the same loop starts with the current state. Both end
/// with the run.
///
/// Each state is added to the loop's buffer before the outside receives it. The loop's own code
/// runs in a task of its own: on the shared pool it runs concurrently with the outside's.
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

  /// Returns the next moment; the consumer ends when the closure is released.
  typealias Pull = @Sendable () async -> FeedbackMoment<State, Event>?

  private let consume: @Sendable (FeedbackBuffer, _ beforeStart: Bool) -> Pull
  private let buffer: FeedbackBuffer
  /// Stops buffering, because no code of the loop will listen that has not registered yet.
  let stopBuffering: @Sendable () -> Void

  init(_ hub: FeedbackHub<State, Event>) {
    buffer = .wait(limit: 64)
    consume = { buffer, beforeStart in
      let consumer = FeedbackConsumer(of: hub, buffer: buffer, beforeStart: beforeStart)
      return { await consumer.channel.next() }
    }
    stopBuffering = { hub.stopBuffering() }
  }

  private init(
    buffer: FeedbackBuffer,
    consume: @escaping @Sendable (FeedbackBuffer, _ beforeStart: Bool) -> Pull,
    stopBuffering: @escaping @Sendable () -> Void
  ) {
    self.buffer = buffer
    self.consume = consume
    self.stopBuffering = stopBuffering
  }

  /// Registers a consumer while the loops are being started, before there is a state.
  func consumeBeforeStart() -> Pull { consume(buffer, true) }

  /// The same states with another buffer (default: 64 states, then the run waits).
  ///
  /// ```swift
  /// let loop = Feedback<Int, Never>("draw") { states, _ in
  ///   for await state in states.buffered(.newest(limit: 1)) { print(state) }
  /// }
  /// ```
  public func buffered(_ buffer: FeedbackBuffer) -> FeedbackStates {
    FeedbackStates(buffer: buffer, consume: consume, stopBuffering: stopBuffering)
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
      }, stopBuffering: stopBuffering)
  }

  /// One consumer of the states.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let pull: Pull

    /// The next state; nil when the run is over or the task is canceled.
    public func next() async -> State? { await pull()?.state }

    /// The next state; nil when the run is over or the task is canceled.
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

      /// The next moment; nil when the run is over or the task is canceled.
      public func next() async -> FeedbackMoment<State, Event>? { await pull() }

      /// The next moment; nil when the run is over or the task is canceled.
      public func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await pull()
      }
    }
  }
}
