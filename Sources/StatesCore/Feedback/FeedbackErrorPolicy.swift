/// What a loop does when one of its effects throws.
///
/// An error that an effect throws because it was canceled is ignored.
///
/// ```swift
/// enum Event { case failed(String) }
/// let policy = FeedbackErrorPolicy<Event>.retry(
///   Backoff(first: .seconds(1), attempts: 3),
///   then: .replace { .failed("\($0)") })
/// ```
public indirect enum FeedbackErrorPolicy<Event: Sendable>: Sendable {
  /// The run ends and throws the error to its consumer.
  case stop
  /// The effect is complete; the error is reported among the unhandled ones.
  case ignore
  /// The effect is complete; the event is sent instead of the error.
  case replace(@Sendable (any Error) -> Event)
  /// The effect restarts after a delay; when the attempts are used up, `then` applies.
  case retry(Backoff, then: FeedbackErrorPolicy = .stop)

  /// What to do about an error; `failures` is its number, counted from 1.
  func decision(about error: any Error, failures: Int) -> Decision {
    switch self {
    case .stop: return .stop
    case .ignore: return .ignore
    case .replace(let makeEvent): return .send(makeEvent(error))
    case .retry(let backoff, let next):
      if let delay = backoff.delay(beforeAttempt: failures) { return .startAgain(after: delay) }
      return next.decision(about: error, failures: failures - (backoff.attempts ?? 0))
    }
  }

  enum Decision {
    case stop
    case ignore
    case send(Event)
    case startAgain(after: Duration)
  }
}

/// How long to wait before each new attempt: longer each time.
///
/// ```swift
/// let backoff = Backoff(first: .seconds(1), factor: 2, longest: .seconds(5), attempts: 4)
/// assert((1...5).map { backoff.delay(beforeAttempt: $0) }
///   == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), nil])
/// ```
public struct Backoff: Hashable, Sendable {
  /// The delay before the first new attempt.
  public let first: Duration
  /// The factor by which the delay grows with each attempt (default: 2).
  public let factor: Double
  /// The longest delay (default: a minute).
  public let longest: Duration
  /// The maximum number of new attempts; nil for no limit (default: nil).
  public let attempts: Int?

  /// Makes a series of delays.
  ///
  /// `factor` is at least 1; `first` and `longest` are not negative; `attempts` is not negative.
  public init(
    first: Duration, factor: Double = 2, longest: Duration = .seconds(60), attempts: Int? = nil
  ) {
    precondition(factor >= 1, "Delays cannot get shorter; pass a factor of 1 or more.")
    precondition(first >= .zero && longest >= .zero, "A delay cannot be negative.")
    precondition((attempts ?? 0) >= 0, "The number of attempts cannot be negative.")
    self.first = first
    self.factor = factor
    self.longest = longest
    self.attempts = attempts
  }

  /// The delay before a new attempt, by its number, counted from 1; nil to give up.
  public func delay(beforeAttempt number: Int) -> Duration? {
    if let attempts, number > attempts { return nil }
    var delay = min(first, longest)
    var remaining = number - 1
    // Returns early, so that a million attempts do not take a million multiplications.
    while remaining > 0, delay < longest, factor > 1, delay > .zero {
      delay = min(delay * factor, longest)
      remaining -= 1
    }
    return delay
  }
}
