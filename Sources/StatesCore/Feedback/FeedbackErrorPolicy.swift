/// What a loop does when one of its effects throws.
///
/// An error that is thrown because the effect was cancelled is none.
///
/// ```swift
/// enum Event { case failed(String) }
/// let policy = FeedbackErrorPolicy<Event>.retry(
///   Backoff(first: .seconds(1), attempts: 3),
///   then: .replace { .failed("\($0)") })
/// ```
public indirect enum FeedbackErrorPolicy<Event: Sendable>: Sendable {
  /// The run ends, and the error is thrown to whoever takes its states.
  case stop
  /// The effect is complete; the error is reported among the unhandled ones.
  case ignore
  /// The effect is complete; the event takes the place of the error.
  case replace(@Sendable (any Error) -> Event)
  /// The effect starts again, after a while; when the attempts are used up, `then` applies.
  case retry(Backoff, then: FeedbackErrorPolicy = .stop)

  /// What to do about the error number `failures`, counted from 1.
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

/// How long to wait before each of several attempts: longer each time.
///
/// ```swift
/// let backoff = Backoff(first: .seconds(1), factor: 2, longest: .seconds(5), attempts: 4)
/// assert((1...5).map { backoff.delay(beforeAttempt: $0) }
///   == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), nil])
/// ```
public struct Backoff: Hashable, Sendable {
  /// The time before the first new attempt.
  public let first: Duration
  /// By how much the time grows with each. Default: 2.
  public let factor: Double
  /// The time that is never exceeded. Default: a minute.
  public let longest: Duration
  /// How many new attempts there are; nil for no end. Default: nil.
  public let attempts: Int?

  /// Makes a series of delays.
  ///
  /// `factor` is at least 1; `first` and `longest` are not negative; `attempts` is not negative.
  public init(
    first: Duration, factor: Double = 2, longest: Duration = .seconds(60), attempts: Int? = nil
  ) {
    precondition(factor >= 1, "Delays do not get shorter; give a factor of 1 or more.")
    precondition(first >= .zero && longest >= .zero, "A delay cannot be negative.")
    precondition((attempts ?? 0) >= 0, "The number of attempts cannot be negative.")
    self.first = first
    self.factor = factor
    self.longest = longest
    self.attempts = attempts
  }

  /// The time to wait before the new attempt of that number, counted from 1; nil: give up.
  public func delay(beforeAttempt number: Int) -> Duration? {
    if let attempts, number > attempts { return nil }
    var delay = min(first, longest)
    var remaining = number - 1
    // Ends early, so that a million attempts do not take a million multiplications.
    while remaining > 0, delay < longest, factor > 1, delay > .zero {
      delay = min(delay * factor, longest)
      remaining -= 1
    }
    return delay
  }
}
