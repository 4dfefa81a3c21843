public import JSONCore

/// An entry of a branch to compute.
public struct PlannedStep: Sendable {
  /// The seq in the branch.
  public var seq: Int64
  /// The seq in the parent; `nil` for a new event.
  public var was: Int64?
  /// The time.
  public var t: Int64
  /// The action.
  public var action: Action
  /// The cause, with seqs of the branch; also `nil` if it is no longer in the branch.
  public var cause: EntryCause?
  /// Where the event came from.
  public var origin: EntryOrigin?
  /// The call site.
  public var at: String?

  /// Creates a step.
  public init(
    seq: Int64, was: Int64? = nil, t: Int64, action: Action, cause: EntryCause? = nil,
    origin: EntryOrigin? = nil, at: String? = nil
  ) {
    self.seq = seq
    self.was = was
    self.t = t
    self.action = action
    self.cause = cause
    self.origin = origin
    self.at = at
  }

  /// The work of a host for a step.
  public enum Action: Sendable {
    /// Passes the event to the reducer.
    case reduce(JSONSlice)
    /// Uses the state of the parent's entry, which did not come from a reducer.
    case take(Entry)
  }
}

extension PlannedStep {
  /// The parts of the entry that are known before the computation.
  public var draft: EntryDraft {
    var draft = EntryDraft(seq: seq, t: t)
    draft.was = was
    draft.cause = cause
    draft.origin = origin
    draft.at = at
    switch action {
    case .reduce(let event): draft.event = event.bytes
    case .take(let entry):
      draft.state = entry.state?.bytes
      draft.outputState = entry.outputState?.bytes
      draft.restored = entry.restored
      draft.isJump = entry.isJump
      draft.redacted = entry.redacted
    }
    return draft
  }
}
