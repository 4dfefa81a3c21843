internal import JSONCore
internal import Timelines
internal import Wire

extension ToRecorder.ReduceStep {
  /// A step as it is sent to a host.
  init(_ step: PlannedStep) throws {
    let cause: JSONSlice? =
      switch step.cause {
      case .here(let seq): try JSONSlice(validating: Array("\(seq)".utf8))
      case .elsewhere(let place): try JSON.string(place.text).slice
      case nil: nil
      }
    self.init {
      $0.was = step.was
      $0.t = step.t
      $0.cause = cause
      $0.origin = step.origin?.text
      $0.at = step.at
      switch step.action {
      case .reduce(let event): $0.event = event
      case .take(let entry):
        $0.state = entry.state
        $0.outputState = entry.outputState
      }
    }
  }
}

extension ToRecorder.RememberedState {
  /// The state of an entry, with its numbers in the recording and in the computed timeline.
  init(was: Int64, seq: Int64, _ state: JSONSlice) {
    self.init {
      $0.was = was
      $0.seq = seq
      $0.state = state
    }
  }
}

extension PlannedStep {
  /// The entry of the recording that the undo or redo of a form goes back to.
  var undone: Int64? {
    guard case .reduce(let event) = action else { return nil }
    return event.undone
  }
}

extension JSONSlice {
  /// The entry of the recording that it goes back to, if it is the undo or redo of a form.
  var undone: Int64? {
    guard kind == .object else { return nil }
    var members = members
    guard let word = members.next(), members.next() == nil,
      word.hasKey("undo") || word.hasKey("redo")
    else { return nil }
    return word.value["to"]?.int
  }
}

extension Entry {
  /// The entry that a host made of a given state, with its recorded kind: a host calls every given
  /// state a jump.
  func given(as recorded: Entry) throws -> Entry {
    var draft = EntryDraft(self)
    draft.restored = recorded.restored
    draft.isJump = recorded.isJump
    if draft.redacted.isEmpty { draft.redacted = recorded.redacted }
    return try draft.entry()
  }
}

extension BranchDraft {
  /// Entry 0 of a branch that shares nothing: the moment that the plan starts from.
  func first(_ entry: Entry) throws -> Entry {
    var draft = EntryDraft(entry)
    draft.t = baseTime
    draft.was = plan.base.seq
    return try draft.entry()
  }
}
