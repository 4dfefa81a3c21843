/// An error in a run, other than those that effects throw.
///
/// ```swift
/// let error = FeedbackError.queueIsFull(limit: 65_536)
/// print(error)
/// ```
public enum FeedbackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Events came faster than they could be handled.
  case queueIsFull(limit: Int)
  /// An effect sent an event after it had returned; the event is lost.
  case sentAfterReturning
  /// A loop began to listen after more states had passed than are buffered for it; it starts with
  /// the current one.
  case listenedTooLate(missed: Int)

  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .queueIsFull(let limit):
      """
      More than \(limit) events are waiting to be handled. To fix, look for a loop that responds \
      to every state with an event, or raise eventLimit in FeedbackOptions.
      """
    case .sentAfterReturning:
      """
      An effect sent an event after it had returned; the event is lost. To fix, keep the effect \
      waiting for as long as it has something to send, for example with withCheckedContinuation.
      """
    case .listenedTooLate(let missed):
      """
      The loop missed \(missed) states, because it began to listen after they had passed. To fix, \
      begin its 'for await' before anything else that takes long.
      """
    }
  }
}

/// An error that no policy turned into an event.
///
/// ```swift
/// func describe(_ unhandled: UnhandledFeedbackError) -> String {
///   "\(unhandled.loop): \(unhandled.error)\(unhandled.stopsTheRun ? " (stops the run)" : "")"
/// }
/// ```
public struct UnhandledFeedbackError: Error, CustomStringConvertible {
  /// The name of the loop where it occurred.
  public let loop: String
  /// The error.
  public let error: any Error
  /// Whether it stops the run.
  public let stopsTheRun: Bool

  /// Makes an unhandled error, to test code that reads them.
  public init(loop: String, error: any Error, stopsTheRun: Bool) {
    self.loop = loop
    self.error = error
    self.stopsTheRun = stopsTheRun
  }

  /// The loop and the error in one line.
  public var description: String { "Feedback loop \"\(loop)\": \(error)" }
}
