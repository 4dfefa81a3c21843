internal import JSONCore
internal import Timelines

/// The failure that is looked for: a predicate that holds after an entry, with what makes it the
/// same failure and not just any.
struct Needle: Sendable {
  /// What holds.
  let predicate: Predicate
  /// The name of the event after which it held in the recording.
  let eventName: String?
  /// What the reducer threw there, or `trapped`.
  let error: String?

  /// The failure at an entry of the recording.
  init(_ predicate: Predicate, at entry: Entry) {
    self.predicate = predicate
    eventName = entry.eventName
    error = entry.error
  }

  /// Whether the app died of it.
  var isTrap: Bool { error == "trapped" }

  /// Whether it is found at a computed entry between two moments.
  func isFound(at entry: Entry, before: Snapshot?, after: Snapshot) -> Bool {
    guard entry.eventName == eventName, entry.error == error else { return false }
    let subject = EntrySubject(
      entry, before: before.map(Moment.known), after: Moment.known(after))
    return predicate.evaluate(subject) == .yes
  }
}

/// Events that may lead to the failure, in order: some of the recorded ones, as they were or simpler.
struct Candidate: Sendable {
  /// One event.
  struct Item: Sendable {
    /// The recorded entry.
    var entry: Entry
    /// The event in its place; `nil` for its own.
    var simpler: JSONSlice?

    /// What is sent to the host.
    var step: ToRecorder.ReduceStep {
      var step = ToRecorder.ReduceStep(again: entry)
      // Who caused it may be gone; the reducer does not see it.
      step.cause = nil
      if let simpler { step.event = simpler }
      return step
    }
  }

  /// The events.
  var items: [Item]
}
