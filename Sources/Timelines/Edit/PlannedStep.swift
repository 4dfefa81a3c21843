public import JSONCore

/// One entry of a branch that is to be computed.
public struct PlannedStep: Sendable {
  /// Its seq in the branch.
  public var seq: Int64
  /// The parent's seq; `nil` for a new event.
  public var was: Int64?
  /// Its time.
  public var t: Int64
  /// What to do.
  public var action: Action
  /// The cause by the branch's seqs; `nil` also when it is not in the branch any more.
  public var cause: EntryCause?
  /// Where the event came from.
  public var origin: EntryOrigin?
  /// The call site.
  public var at: String?

  /// A step of these parts.
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

  /// What a host does for a step.
  public enum Action: Sendable {
    /// Gives the event to the reducer.
    case reduce(JSONSlice)
    /// Takes the state of the parent's entry, which no reducer made.
    case take(Entry)
  }
}

extension PlannedStep {
  /// The entry as far as it is known before anything is computed.
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
