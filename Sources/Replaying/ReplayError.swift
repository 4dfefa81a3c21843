/// An error of running a recording again.
///
/// ```swift
/// let error = ReplayError(.noFirstState(type: "Commute.CommuteState"))
/// print(error)
/// ```
public struct ReplayError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The entry, if the error belongs to one.
  public var seq: Int64?

  /// Creates an error.
  public init(_ reason: Reason, at seq: Int64? = nil) {
    self.reason = reason
    self.seq = seq
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// Today's type cannot decode the event.
    case undecodableEvent(name: String?, why: String)
    /// Today's type cannot decode the state.
    case undecodableState(why: String)
    /// The computed state cannot be encoded.
    case unencodableState(why: String)
    /// The entry's state came from outside, but is missing in the entry.
    case stateMissing
    /// An event came before the first state.
    case noState
    /// The type does not have the machine's initial state.
    case noFirstState(type: String)
    /// Making the machine failed.
    case notMade(type: String, why: String)
    /// The machine was recorded without a type that makes it.
    case recordedWithoutMake(name: String)
    /// The type of the events or the states is not Codable.
    case notCodable(type: String)
    /// The machine can be viewed, but not run again here, for the given reason.
    case notReplayable(why: String)
  }
}

extension ReplayError: CustomStringConvertible {
  /// What happened, where, and what to do about it.
  public var description: String {
    seq.map { "entry \($0): \(reason)" } ?? "\(reason)"
  }
}

extension ReplayError.Reason: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .undecodableEvent(let name, let why):
      "Today's type cannot decode the event\(name.map { " \($0.debugDescription)" } ?? ""): \(why)"
    case .undecodableState(let why):
      "Today's type cannot decode the state: \(why)"
    case .unencodableState(let why):
      "The state cannot be written as JSON: \(why)"
    case .stateMissing:
      "The state came from outside, and is missing in the entry."
    case .noState:
      "There is no state yet. To fix, begin with a new machine, or load a recorded state."
    case .noFirstState(let type):
      """
      \(type) alone does not say what its first state is. \
      To fix, begin with a recorded state, or add a Replayable type that makes the machine.
      """
    case .notMade(let type, let why):
      "\(type).make() did not make a machine: \(why)"
    case .recordedWithoutMake(let name):
      """
      \(name.debugDescription) was recorded without a way to make it, so it can be looked at, not \
      run again. To fix, declare a Replayable type whose make() makes it, and record that.
      """
    case .notCodable(let type):
      """
      \(type) is not Codable, so it was recorded by reflection: it can be viewed, but not run again. \
      To fix, make it Codable.
      """
    case .notReplayable(let why):
      why
    }
  }
}
