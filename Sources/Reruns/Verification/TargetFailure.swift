internal import JSONCore
internal import Predicates
internal import Timelines
internal import Wire

/// The failure to look for: a predicate that holds after an entry, with the properties that
/// identify the same failure.
struct TargetFailure: Sendable {
  /// The predicate.
  let predicate: Predicate
  /// The name of the event after which it held in the recording.
  let eventName: String?
  /// The error that the reducer threw there, or `trapped`.
  let error: String?

  /// The failure at an entry of the recording.
  init(_ predicate: Predicate, at entry: Entry) {
    self.predicate = predicate
    eventName = entry.eventName
    error = entry.error
  }

  /// Whether the app crashed with it.
  var isTrap: Bool { error == "trapped" }

  /// Whether a computed entry between two moments has the failure.
  func isFound(at entry: Entry, before: Snapshot?, after: Snapshot) -> Bool {
    guard entry.eventName == eventName, entry.error == error else { return false }
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
