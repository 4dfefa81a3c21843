package import Replaying
import StatesCore

/// The machines that a host can make, by the expression that makes them.
package struct HostedMachines: Sendable {
  private var replays: [String: Replay] = [:]

  /// Why some types cannot be rerun: a sentence each.
  package private(set) var problems: [String] = []

  /// Creates a set of machines. Of two with the same expression, the later one is used.
  package init(_ replays: [Replay] = []) {
    for replay in replays { add(replay) }
  }

  /// The expressions, sorted.
  package var makes: [String] { replays.keys.sorted() }

  package mutating func add(_ replay: Replay) { replays[replay.make] = replay }

  package subscript(make: String) -> Replay? { replays[make] }

  /// Creates a set from types, each a `Reducible` state or a `Replayable` type.
  ///
  /// Which of the two is checked at run time, so that both can be passed together.
  package init<each Source>(
    of sources: repeat (each Source).Type, redaction: RedactionRules = []
  ) {
    for source in repeat each sources { add(source, redaction) }
  }

  /// Returns the machine of a `Reducible` state or a `Replayable` type; nil if it cannot be rerun.
  package static func replay(of type: Any.Type) -> Replay? {
    func candidate<Source>(_ source: Source.Type) -> (any HostCandidate.Type)? {
      ReplayableCandidate<Source>.self as? any HostCandidate.Type
        ?? ReducibleCandidate<Source>.self as? any HostCandidate.Type
    }
    return _openExistential(type, do: candidate)?.replay
  }

  private mutating func add<Source>(_ source: Source.Type, _ redaction: RedactionRules) {
    guard var replay = Self.replay(of: source) else {
      problems.append(Self.problem(with: source))
      return
    }
    replay.redaction = replay.redaction + redaction
    add(replay)
  }

  private static func problem(with source: Any.Type) -> String {
    if source is any Reducible.Type {
      return """
        \(source) cannot run in a host, because its state or its events are not Codable. \
        To fix, make both Codable.
        """
    }
    if source is any Replayable.Type {
      return """
        The machine of \(source).make() cannot run in a host, because its state or its events are \
        not Codable. To fix, make both Codable.
        """
    }
    return """
      \(source) cannot run in a host, because it does not make a machine. \
      To fix, pass a Reducible state, or a Replayable type that makes the machine.
      """
  }
}

/// A type passed to a host, with conformances that are only known at run time.
private protocol HostCandidate {
  static var replay: Replay { get }
}

private enum ReducibleCandidate<Source> {}

extension ReducibleCandidate: HostCandidate
where Source: Reducible & Codable, Source.Event: Decodable {
  static var replay: Replay { Replay(reducible: Source.self) }
}

private enum ReplayableCandidate<Source> {}

extension ReplayableCandidate: HostCandidate
where Source: Replayable, Source.Replayed: ReplayableMachine {
  static var replay: Replay { Replay(of: Source.self) }
}
