internal import JSONCore
package import Timelines

/// A step that is kept to be run more than once, without its seq.
package struct KeptStep: Sendable {
  /// The parts that do not depend on the step's position.
  package let facts: Facts
  /// The seq in the parent; `nil` for a new event.
  package var was: Int64?
  /// The time.
  package var t: Int64
  /// The cause, with seqs of the timeline that keeps the step.
  package var cause: EntryCause?

  /// The parts of a step that do not depend on its position. A class, because copies of a timeline
  /// share them.
  package final class Facts: Sendable {
    fileprivate let action: PlannedStep.Action
    fileprivate let origin: EntryOrigin?
    fileprivate let at: String?

    fileprivate init(_ step: PlannedStep) {
      action = step.action
      origin = step.origin
      at = step.at
    }
  }

  package init(_ step: PlannedStep) {
    facts = Facts(step)
    was = step.was
    t = step.t
    cause = step.cause
  }

  package var action: PlannedStep.Action { facts.action }

  package func planned(at seq: Int64) -> PlannedStep {
    PlannedStep(
      seq: seq, was: was, t: t, action: facts.action, cause: cause, origin: facts.origin,
      at: facts.at)
  }
}

/// The decoded events of kept steps, for replayers of one kind of machine.
///
/// Confined to the thread that created it.
package class ReadEvents {
  fileprivate init() {}

  /// Decodes the event of the next step. Running the step reports a decoding error.
  package func append(_ action: PlannedStep.Action) {}

  /// Adds decoded events of another replayer of the same machine.
  package func append(_ others: ReadEvents, _ range: Range<Int>) {}

  /// An empty list for the same machine.
  package func emptied() -> ReadEvents { ReadEvents() }
}

/// Decodes nothing ahead, for machines whose state decides how to decode an event.
final class UnreadEvents: ReadEvents {
  override init() { super.init() }

  override func emptied() -> ReadEvents { UnreadEvents() }
}

final class TypedEvents<Event>: ReadEvents {
  /// The decoded events; `nil` where there is no event or decoding failed.
  private(set) var events: [Event?] = []
  private let read: (JSONSlice) -> Event?

  init(_ read: @escaping (JSONSlice) -> Event?) {
    self.read = read
    super.init()
  }

  override func append(_ action: PlannedStep.Action) {
    if case .reduce(let slice) = action { events.append(read(slice)) } else { events.append(nil) }
  }

  override func append(_ others: ReadEvents, _ range: Range<Int>) {
    guard let others = others as? TypedEvents<Event> else { return }
    events.append(contentsOf: others.events[range])
  }

  override func emptied() -> ReadEvents { TypedEvents(read) }
}
