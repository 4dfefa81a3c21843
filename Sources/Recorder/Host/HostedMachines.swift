package import Replaying
import StatesCore

/// The machines that a host can make, found by the expression that makes them.
package struct HostedMachines: Sendable {
  private var replays: [String: Replay] = [:]

  /// What cannot be run again, and why: a sentence each.
  package private(set) var problems: [String] = []

  /// These machines; of two with one expression the later one counts.
  package init(_ replays: [Replay] = []) {
    for replay in replays { add(replay) }
  }

  /// The expressions, in order.
  package var makes: [String] { replays.keys.sorted() }

  /// Adds a machine.
  package mutating func add(_ replay: Replay) { replays[replay.make] = replay }

  /// The machine that an expression makes.
  package subscript(make: String) -> Replay? { replays[make] }

  /// The machines of these types: each a `Reducible` state or a `Replayable` type.
  ///
  /// Which of the two is asked at run time, so that both can stand in one list.
  package init<each Source>(
    of sources: repeat (each Source).Type, redaction: RedactionRules = []
  ) {
    for source in repeat each sources { add(source, redaction) }
  }

  /// The machine of a type that is a `Reducible` state or a `Replayable` type, when it can be run.
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
        \(source) can not be run in a host, because its state or its events are not Codable. \
        To fix, declare both Codable.
        """
    }
    if source is any Replayable.Type {
      return """
        What \(source).make() makes can not be run in a host, because its state or its events are \
        not Codable. To fix, declare both Codable.
        """
    }
    return """
      \(source) is no machine that a host can run. \
      To fix, pass a Reducible state, or a Replayable type that makes the machine.
      """
  }
}

/// A type that a host may have been given, as far as its conformances are known at run time.
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
