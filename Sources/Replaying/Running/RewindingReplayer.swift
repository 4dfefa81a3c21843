package import Timelines

/// A replayer for kept steps: it decodes events once, and can return to earlier states.
///
/// A host that repeatedly changes earlier events decodes each event once, and encodes only states
/// that are requested.
package protocol RewindingReplayer: Replayer {
  /// A list for the events of this machine.
  func makeEvents() -> ReadEvents

  /// Makes steps without their entries.
  ///
  /// - Parameters:
  ///   - events: The decoded events of the steps.
  ///   - first: The seq of the first of all `steps`.
  func pass(
    _ steps: [KeptStep], _ range: Range<Int>, _ events: ReadEvents, first: Int64
  ) throws(ReplayError)

  /// Makes one step, and returns its entry.
  func run(
    _ steps: [KeptStep], at index: Int, _ events: ReadEvents, first: Int64
  ) throws(ReplayError) -> EntryDraft

  /// The current moment; `nil` for a machine with reference semantics.
  var mark: (any ReplayMark)? { get }

  /// Returns to a moment of a replayer of the same machine. The next entry is a keyframe.
  func go(to mark: any ReplayMark)
}

/// A moment to which a replayer can return.
package protocol ReplayMark {}

/// A model with reference semantics, whose state may decide how to decode an event.
protocol SharedModel {}

extension StatechartModel: SharedModel {}

extension ModelReplayer: RewindingReplayer {
  private struct Mark: ReplayMark {
    let model: Model
    let given: [RecordedOutput]?
  }

  /// Whether copies of the model share its state.
  static var isShared: Bool { Model.self is any SharedModel.Type || Model.self is AnyClass }

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
      model.didReach(source: steps[index].was, seq: seq)
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

  /// Throws if an event restores an unknown state, which the sender of the steps may have.
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
