internal import JSONCore
package import Timelines

/// A step that is kept to be run more than once, without its place.
package struct KeptStep: Sendable {
  /// What does not change when the step stands elsewhere.
  package let facts: Facts
  /// The parent's seq; `nil` for a new event.
  package var was: Int64?
  /// Its time.
  package var t: Int64
  /// The cause, by the seqs of the timeline that the step is kept for.
  package var cause: EntryCause?

  /// What a step is wherever it stands: shared, because copies of a timeline have it in common.
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

  /// Keeps a step.
  package init(_ step: PlannedStep) {
    facts = Facts(step)
    was = step.was
    t = step.t
    cause = step.cause
  }

  /// What is done.
  package var action: PlannedStep.Action { facts.action }

  /// The step at its place.
  package func planned(at seq: Int64) -> PlannedStep {
    PlannedStep(
      seq: seq, was: was, t: t, action: facts.action, cause: cause, origin: facts.origin,
      at: facts.at)
  }
}

/// The events of kept steps as a replayer of one kind of machine read them, in their order.
///
/// It belongs to the thread that made it.
package class ReadEvents {
  fileprivate init() {}

  /// Reads the event of the next step; one that cannot be read says so when it is run.
  package func append(_ action: PlannedStep.Action) {}

  /// Adds events that another replayer of the same machine read.
  package func append(_ others: ReadEvents, _ range: Range<Int>) {}

  /// An empty list for the same machine.
  package func emptied() -> ReadEvents { ReadEvents() }
}

/// Nothing is read ahead: what an event means depends on where the machine stands.
final class UnreadEvents: ReadEvents {
  override init() { super.init() }

  override func emptied() -> ReadEvents { UnreadEvents() }
}

/// Events of a type.
final class TypedEvents<Event>: ReadEvents {
  /// What was read; `nil` where there is no event, or none that can be read.
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
