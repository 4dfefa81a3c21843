package import Timelines

/// A replayer that runs kept steps: events are read once, and states on the way are kept as values.
///
/// A host that changes the past again and again neither reads an event twice nor encodes a state
/// that nobody looks at.
package protocol RewindingReplayer: Replayer {
  /// A list for the events of this machine.
  func makeEvents() -> ReadEvents

  /// Makes steps whose entries nobody wants.
  ///
  /// - Parameters:
  ///   - events: the steps' events, as a replayer of the same machine read them.
  ///   - first: the seq of the first of all `steps`.
  func pass(
    _ steps: [KeptStep], _ range: Range<Int>, _ events: ReadEvents, first: Int64
  ) throws(ReplayError)

  /// Makes one step, and gives its entry.
  func run(
    _ steps: [KeptStep], at index: Int, _ events: ReadEvents, first: Int64
  ) throws(ReplayError) -> EntryDraft

  /// The moment as it is now; `nil` for a machine that is no value.
  var mark: (any ReplayMark)? { get }

  /// Goes back to a moment of a replayer of the same machine; the next entry is a keyframe.
  func go(to mark: any ReplayMark)
}

/// A moment of a machine that is run again, to which it can go back.
package protocol ReplayMark {}

/// A model that handles events in place, on something that copies of it share; and what an event
/// means may depend on where it stands.
protocol SharedModel {}

extension StatechartModel: SharedModel {}

extension ModelReplayer: RewindingReplayer {
  private struct Mark: ReplayMark {
    let model: Model
    let given: [RecordedOutput]?
  }

  private static var isShared: Bool { Model.self is any SharedModel.Type }

  package func makeEvents() -> ReadEvents {
    guard !Self.isShared else { return UnreadEvents() }
    let model = model
    return TypedEvents<Model.Event> { try? model.decode($0) }
  }

  package func pass(
    _ steps: [KeptStep], _ range: Range<Int>, _ events: ReadEvents, first: Int64
  ) throws(ReplayError) {
    let read = (events as? TypedEvents<Model.Event>)?.events
    for index in range {
      let seq = first + Int64(index)
      guard let event = read?[index], hasState else {
        try pass(steps[index].planned(at: seq))
        continue
      }
      try checkReach(of: event, at: seq)
      given = nil
      _ = model.handle(event)
      isWriterBehind = true
      model.note(source: steps[index].was, seq: seq)
    }
  }

  package func run(
    _ steps: [KeptStep], at index: Int, _ events: ReadEvents, first: Int64
  ) throws(ReplayError) -> EntryDraft {
    let seq = first + Int64(index)
    let event = (events as? TypedEvents<Model.Event>)?.events[index]
    if let event { try checkReach(of: event, at: seq) }
    return try run(steps[index].planned(at: seq), read: event)
  }

  /// An event that goes back to a state which is not known here is not this replayer's to handle:
  /// whoever sent the steps may know the state.
  private func checkReach(of event: Model.Event, at seq: Int64) throws(ReplayError) {
    if model.missing(for: event) != nil { throw ReplayError(.stateMissing, at: seq) }
  }

  package var mark: (any ReplayMark)? {
    guard hasState, !Self.isShared else { return nil }
    return Mark(model: model, given: given)
  }

  package func go(to mark: any ReplayMark) {
    guard let mark = mark as? Mark else { return }
    model = mark.model
    given = mark.given
    hasState = true
    isWriterBehind = true
  }
}
