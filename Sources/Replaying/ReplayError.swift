/// Why a recording can not be run again, or not from here on.
///
/// ```swift
/// let error = ReplayError(.noFirstState(type: "Commute.CommuteState"))
/// print(error)
/// ```
public struct ReplayError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The entry at which it is wrong, when it is one.
  public var seq: Int64?

  /// An error, at an entry or not.
  public init(_ reason: Reason, at seq: Int64? = nil) {
    self.reason = reason
    self.seq = seq
  }

  /// What can be wrong.
  public enum Reason: Hashable, Sendable {
    /// The event is none of today's type.
    case undecodableEvent(name: String?, why: String)
    /// The state is none of today's type.
    case undecodableState(why: String)
    /// The state that was computed can not be written as JSON.
    case unencodableState(why: String)
    /// An entry says that its state was given, and does not hold it.
    case stateMissing
    /// An event came before there was a state.
    case noState
    /// The type alone does not know the machine's first state.
    case noFirstState(type: String)
    /// The machine could not be made.
    case notMade(type: String, why: String)
    /// The machine was recorded without a type that makes it.
    case recordedWithoutMake(name: String)
    /// The type of the events or the states is not Codable.
    case notCodable(type: String)
    /// The machine can be looked at, but not run again here; the sentence says why.
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
      "The event\(name.map { " \($0.debugDescription)" } ?? "") is none that today's type has: \(why)"
    case .undecodableState(let why):
      "The state is none that today's type has: \(why)"
    case .unencodableState(let why):
      "The state can not be written as JSON: \(why)"
    case .stateMissing:
      "The state was given from outside, and the entry does not hold it."
    case .noState:
      "There is no state yet. To fix, begin with a fresh machine, or load a recorded state."
    case .noFirstState(let type):
      """
      \(type) alone does not say what its first state is. \
      To fix, begin with a recorded state, or add a Replayable type that makes the machine.
      """
    case .notMade(let type, let why):
      "\(type).make() has not made a machine: \(why)"
    case .recordedWithoutMake(let name):
      """
      \(name.debugDescription) was recorded without a way to make it, so it can be looked at, not \
      run again. To fix, declare a Replayable type whose make() makes it, and record that.
      """
    case .notCodable(let type):
      """
      \(type) is not Codable, so it was recorded by reflection: it can be looked at, not run again. \
      To fix, make it Codable.
      """
    case .notReplayable(let why):
      why
    }
  }
}
