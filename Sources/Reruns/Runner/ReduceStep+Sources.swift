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

extension ToRecorder.ReduceStep {
  /// A recorded entry as a step to run again.
  init(again entry: Entry) {
    self.init()
    event = entry.event
    if entry.isFixedPoint || entry.event == nil { state = entry.state }
    was = entry.seq
    t = entry.t
    cause = entry.line["cause"]
    origin = entry.origin?.text
    at = entry.at
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

extension Runner.Step {
  /// A step of a branch.
  init(_ step: PlannedStep) throws {
    self.init(step: try ToRecorder.ReduceStep(step))
    if case .take(let entry) = step.action { given = entry }
  }

  /// A recorded entry to run again.
  init(again entry: Entry) { self.init(step: ToRecorder.ReduceStep(again: entry)) }
}

extension Runner {
  /// Runs recorded entries again from the moment before the first of them.
  ///
  /// - Parameter before: that moment; `nil` for entry 0, whose state a fresh machine has.
  init(again entries: some Collection<Entry>, make: String, from before: Snapshot?) throws {
    self.init(
      make: make, next: entries.first?.seq ?? 0, base: try before.map { try HostMoment($0) })
    if entries.first?.seq == 0 { addFirst() }
    add(entries.lazy.filter { $0.seq > 0 }.map { Step(again: $0) })
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

extension Entry {
  /// Entry 0 of a branch that shares nothing: the moment that its plan starts from.
  func first(as known: Runner.FirstEntry) throws -> Entry {
    var draft = EntryDraft(self)
    draft.t = known.t
    draft.was = known.was
    return try draft.entry()
  }
}
