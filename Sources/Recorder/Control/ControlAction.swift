package import JSONCore
package import StatesCore
package import Timelines
package import Wire

/// An action on a live machine, performed on its own isolation.
package enum ControlAction: Sendable {
  /// Hold the machine: stop handling the app's events.
  case hold(HoldPolicy)
  /// Restore the state of a moment.
  case restore(state: JSONSlice, from: EntryReference)
  case dispatch(JSONSlice)
  /// Handle one queued event.
  case step
  case resume
}

package enum ControlOutcome: Hashable, Sendable {
  /// It was executed: the entry that it led to, if that is known, and how many of the app's events
  /// are queued.
  case done(seq: Int64?, queued: Int? = nil)
  /// It was not executed, and the machine is unchanged.
  case refused(ErrorCode, String, path: String? = nil)
}

extension CommandAnswer {
  func send(_ outcome: ControlOutcome, for timeline: TimelineID) {
    switch outcome {
    case .done(let seq, let queued): done(seq: seq, queued: queued)
    case .refused(let code, let sentence, let path):
      error(code, sentence, path: path, timeline: timeline)
    }
  }
}
