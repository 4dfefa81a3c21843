internal import JSONCore
internal import Predicates
internal import Timelines
internal import Wire

/// The failure to look for: a predicate that holds after an entry.
///
/// A predicate that reads the error means the recorded one: another error, or the same error of
/// another event, is a different failure. For all other predicates, the event does not matter:
/// fewer events may make the predicate true at an earlier event than all of them.
struct TargetFailure: Sendable {
  let predicate: Predicate
  /// The name of the event after which it held in the recording.
  let eventName: String?
  /// The error that the reducer threw there, or `trapped`.
  let error: String?
  private let readsError: Bool

  /// The failure at an entry of the recording.
  init(_ predicate: Predicate, at entry: Entry) {
    self.predicate = predicate
    eventName = entry.eventName
    error = entry.error
    readsError = predicate.paths.contains { $0.root == .error }
  }

  /// Whether the app crashed with it.
  var isTrap: Bool { error == "trapped" }

  /// Whether a computed entry between two moments has the failure.
  func isFound(at entry: Entry, before: Snapshot?, after: Snapshot) -> Bool {
    if readsError {
      guard entry.error == error, error == nil || entry.eventName == eventName else { return false }
    }
    let subject = EntrySubject(
      entry, before: before.map(Moment.known), after: Moment.known(after))
    return predicate.evaluate(subject) == .yes
  }
}

/// Events that may lead to the failure, in order: a subset of the recorded ones, as they were or
/// simplified.
struct Candidate: Sendable {
  struct Item: Sendable {
    /// The recorded entry.
    var entry: Entry
    /// The replacement event; `nil` for the recorded one.
    var simpler: JSONSlice?

    /// The step to send to the host.
    var step: ToRecorder.ReduceStep {
      var step = ToRecorder.ReduceStep(again: entry)
      // Its cause may have been removed; the reducer does not see it.
      step.cause = nil
      if let simpler { step.event = simpler }
      return step
    }
  }

  /// The events.
  var items: [Item]
}
