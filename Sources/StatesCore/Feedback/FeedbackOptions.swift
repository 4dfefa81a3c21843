/// What happens when somebody takes states more slowly than they come.
///
/// ```swift
/// let onlyTheNewest = FeedbackBuffer.newest(limit: 1)
/// assert(onlyTheNewest != .wait(limit: 1))
/// ```
public enum FeedbackBuffer: Hashable, Sendable {
  /// Nothing is lost: with `limit` states untaken, the run waits.
  case wait(limit: Int)
  /// The run never waits: of more than `limit` untaken states the oldest are lost.
  case newest(limit: Int)
}

/// What happens to an event for which the queue has no room.
///
/// ```swift
/// let options = FeedbackOptions(overflow: .dropNewest)
/// assert(options.overflow == .dropNewest)
/// ```
public enum FeedbackOverflow: Hashable, Sendable {
  /// The run handles what is in the queue and then stops with ``FeedbackError/queueIsFull(limit:)``.
  case stop
  /// The event is lost, and reported among the unhandled errors.
  case dropNewest
  /// The event that waits longest is lost, and reported among the unhandled errors.
  case dropOldest
}

/// How much a run keeps, and what it does when that is not enough.
///
/// ```swift
/// let system = FeedbackSystem(
///   initialState: 0, reduce: { (state: Int, event: Int) in state + event },
///   options: FeedbackOptions(states: .newest(limit: 1)),
///   feedback: [])
/// ```
public struct FeedbackOptions: Hashable, Sendable {
  /// How many events may wait to be handled. Default: 65,536, far beyond what a loop that works
  /// leaves waiting, and small enough to notice one that runs wild.
  public var eventLimit: Int
  /// What happens to an event beyond the limit. Default: the run stops.
  public var overflow: FeedbackOverflow
  /// How states wait for the outside. Default: 64, then the run waits.
  public var states: FeedbackBuffer

  /// Makes options; without arguments, the defaults.
  ///
  /// Limits are at least 1.
  public init(
    eventLimit: Int = 65_536, overflow: FeedbackOverflow = .stop,
    states: FeedbackBuffer = .wait(limit: 64)
  ) {
    precondition(eventLimit > 0, "A queue needs room for one event; give a limit of 1 or more.")
    self.eventLimit = eventLimit
    self.overflow = overflow
    self.states = states
  }
}

extension FeedbackBuffer {
  /// The number of states that may be untaken.
  var limit: Int {
    switch self {
    case .wait(let limit), .newest(let limit): limit
    }
  }
}

extension BoundedChannel {
  /// Adds an element the way `buffer` says.
  func put(_ element: Element, buffer: FeedbackBuffer) async {
    switch buffer {
    case .wait: await put(element)
    case .newest: putDroppingOldest(element)
    }
  }

  /// Adds an element without waiting: one that would have to wait exceeds the limit instead.
  func putAtOnce(_ element: Element, buffer: FeedbackBuffer) {
    switch buffer {
    case .wait: putBeyondLimit(element)
    case .newest: putDroppingOldest(element)
    }
  }
}
