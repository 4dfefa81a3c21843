/// What happens when a consumer is slower than the run.
///
/// ```swift
/// let onlyTheNewest = FeedbackBuffer.newest(limit: 1)
/// assert(onlyTheNewest != .wait(limit: 1))
/// ```
public enum FeedbackBuffer: Hashable, Sendable {
  /// Nothing is lost: when `limit` states are buffered, the run waits.
  case wait(limit: Int)
  /// The run never waits: when more than `limit` states are buffered, the oldest are dropped.
  case newest(limit: Int)
}

/// What happens to an event when the queue is full.
///
/// ```swift
/// let options = FeedbackOptions(overflow: .dropNewest)
/// assert(options.overflow == .dropNewest)
/// ```
public enum FeedbackOverflow: Hashable, Sendable {
  /// The run handles what is in the queue and then stops with
  /// ``FeedbackError/queueIsFull(limit:)``.
  case stop
  /// The event is lost, and reported among the unhandled errors.
  case dropNewest
  /// The oldest event in the queue is lost, and reported among the unhandled errors.
  case dropOldest
}

/// How much a run buffers, and what it does when a buffer is full.
///
/// ```swift
/// let system = FeedbackSystem(
///   initialState: 0, reduce: { (state: Int, event: Int) in state + event },
///   options: FeedbackOptions(states: .newest(limit: 1)),
///   feedback: [])
/// ```
public struct FeedbackOptions: Hashable, Sendable {
  /// The maximum number of events that may wait to be handled (default: 65,536). This is far more
  /// than a correct loop leaves waiting, and small enough to catch a runaway loop.
  public var eventLimit: Int
  /// What happens to an event beyond the limit (default: the run stops).
  public var overflow: FeedbackOverflow
  /// The buffer for the consumer of the run (default: 64 states, then the run waits).
  public var states: FeedbackBuffer

  /// Makes options.
  ///
  /// Limits are at least 1.
  public init(
    eventLimit: Int = 65_536, overflow: FeedbackOverflow = .stop,
    states: FeedbackBuffer = .wait(limit: 64)
  ) {
    precondition(eventLimit > 0, "A queue needs space for one event; pass a limit of 1 or more.")
    self.eventLimit = eventLimit
    self.overflow = overflow
    self.states = states
  }
}

extension FeedbackBuffer {
  /// The maximum number of buffered states.
  var limit: Int {
    switch self {
    case .wait(let limit), .newest(let limit): limit
    }
  }
}

extension BoundedChannel {
  /// Adds an element, waiting for space if `buffer` says so.
  func put(_ element: Element, buffer: FeedbackBuffer) async {
    switch buffer {
    case .wait: await put(element)
    case .newest: putDroppingOldest(element)
    }
  }

  /// Adds an element without waiting, beyond the limit if necessary.
  func putWithoutWaiting(_ element: Element, buffer: FeedbackBuffer) {
    switch buffer {
    case .wait: putBeyondLimit(element)
    case .newest: putDroppingOldest(element)
    }
  }
}
