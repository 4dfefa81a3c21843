/// An error while applying a state to an object.
///
/// None of them stops the dispatcher: it continues with the next state in the queue.
///
/// ```swift
/// print(DispatchError.completedTwice(state: "locked()"))
/// ```
public enum DispatchError: Error, Hashable, Sendable, Codable {
  /// The object is gone, so there was nothing to apply the state to.
  case objectIsGone(state: String)
  /// The state was removed from the queue before its turn.
  case cleared(state: String)
  /// The dispatcher is held and refused the state.
  case refused(state: String)
  /// The dispatcher's state was replaced, and the state's turn with it.
  case superseded(state: String)
  /// A transition ended without running its mutations; the dispatcher ran them.
  case mutationsNeverRun(state: String)
  /// A transition ran its mutations twice; the dispatcher ignored the second call.
  case mutationsRunTwice(state: String)
  /// A transition completed twice.
  case completedTwice(state: String)
  /// A transition released its completion without calling it; the dispatcher continued.
  case neverCompleted(state: String)
  /// A transition did not complete in time; the dispatcher continued.
  case timeLimitExceeded(state: String)
  /// A transition completed, or ran its mutations, after its time limit.
  case tooLate(state: String)
  /// The state to update is not the current one.
  case notCurrent(state: String, current: String?)
  /// The state has nothing to do on an update.
  case doesNotUpdate(state: String)
  /// A transition is running, so the current state can be neither updated nor reset.
  case inTransition(to: String)
  /// A state was to be applied by name, but its type does not list it.
  case notDispatchable(state: String, type: String)
  /// Arguments that were decoded from data do not fit the state.
  case argumentsDoNotFit(state: String, reason: String)
}

extension DispatchError: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .objectIsGone(let state):
      "\(state) was not applied because the object is gone."
    case .cleared(let state):
      "\(state) was removed from the queue before its turn."
    case .refused(let state):
      "\(state) was refused because the dispatcher is held. To fix, apply it after resuming."
    case .superseded(let state):
      "\(state) was not applied because another moment was restored in the meantime."
    case .mutationsNeverRun(let state):
      """
      The transition to \(state) completed without its mutations; the dispatcher ran them. \
      To fix, call the transition's second argument once, before the third.
      """
    case .mutationsRunTwice(let state):
      """
      The transition to \(state) ran its mutations twice; the second call was ignored. \
      To fix, call the transition's second argument once.
      """
    case .completedTwice(let state):
      """
      The transition to \(state) completed twice; the second call was ignored. \
      To fix, call the transition's third argument once.
      """
    case .neverCompleted(let state):
      """
      The transition to \(state) can no longer complete; the dispatcher continued. \
      To fix, call the transition's third argument once.
      """
    case .timeLimitExceeded(let state):
      """
      The transition to \(state) did not complete in time; the dispatcher continued. \
      To fix, call the transition's third argument, or allow more time.
      """
    case .tooLate(let state):
      "The transition to \(state) continued after its time limit; that was ignored."
    case .notCurrent(let state, let current):
      """
      \(state) was not updated because \(current ?? "no state") is current. \
      To fix, apply it first.
      """
    case .doesNotUpdate(let state):
      """
      \(state) was not updated because it does nothing on an update. \
      To fix, add .onUpdate { … } or .alsoOnUpdate() to it.
      """
    case .inTransition(let state):
      """
      The current state was not changed because a transition to \(state) is running. \
      To fix, wait until it completes.
      """
    case .notDispatchable(let state, let type):
      """
      \(type) does not list \(state) as dispatchable. \
      To fix, add it to `static var dispatchable`.
      """
    case .argumentsDoNotFit(let state, let reason):
      "The arguments do not fit \(state): \(reason)"
    }
  }
}
