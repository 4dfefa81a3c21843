package import JSONCore
package import StatesCore
package import Timelines

/// What a live machine is told to do, on its own isolation.
package enum ControlAction: Sendable {
  /// Stop taking inputs of the app.
  case hold(HoldPolicy)
  /// Take the state of a moment.
  case restore(state: JSONSlice, from: EntryReference)
  /// Handle an event.
  case dispatch(JSONSlice)
  /// Handle one of the inputs that wait.
  case step
  /// Go on.
  case resume
}

/// What came of a command.
package enum ControlOutcome: Hashable, Sendable {
  /// It was carried out; the entry that it led to, when that is known, and how many events of the
  /// app wait.
  case done(seq: Int64?, queued: Int? = nil)
  /// It was not carried out, and the machine is as it was.
  case refused(ErrorCode, String, path: String? = nil)
}

extension CommandAnswer {
  /// Answers with an outcome.
  func give(_ outcome: ControlOutcome, _ timeline: TimelineID) {
    switch outcome {
    case .done(let seq, let queued): done(seq: seq, queued: queued)
    case .refused(let code, let sentence, let path):
      error(code, sentence, path: path, timeline: timeline)
    }
  }
}
