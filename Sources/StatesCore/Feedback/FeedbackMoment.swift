/// A state of a run, with the event that led to it.
///
/// ```swift
/// let moment = FeedbackMoment(state: 1, event: "increased", number: 1)
/// assert(moment.event == "increased")
/// ```
public struct FeedbackMoment<State, Event> {
  /// The state of the run.
  public let state: State
  /// The event that led to it; nil for the initial state and for a restored one.
  public let event: Event?
  /// The number of the step; the initial state is 0.
  public let number: Int

  /// Makes a moment, to test code that depends on one.
  public init(state: State, event: Event? = nil, number: Int = 0) {
    self.state = state
    self.event = event
    self.number = number
  }
}

extension FeedbackMoment: Sendable where State: Sendable, Event: Sendable {}
extension FeedbackMoment: Equatable where State: Equatable, Event: Equatable {}
