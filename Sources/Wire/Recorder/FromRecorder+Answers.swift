package import JSONCore
package import Timelines

extension FromRecorder {
  /// Answers `reduce`, in one or more parts.
  package struct Reduced: Message {
    package static let type = "reduced"
    package static let role = MessageRole.reply
    /// The resulting entries, in order.
    package var entries = [JSONSlice]()
    /// Whether further parts follow.
    package var more = false
    /// Why there are fewer entries than events.
    package var ended: EarlyEnd?
    /// The state after the last step, in the last part, if it was requested with `snapshot`.
    package var state: JSONSlice?
    /// The outputs of that state.
    package var outputState: JSONSlice?
    /// The steps of the timeline that the host keeps, after `load`.
    package var kept: SeqRange?
    /// What the events of `expand` did, for each of its origins in order; fewer when the answer would
    /// become too long, but at least one.
    package var expanded: [ExpandedOrigin]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("entries", &entries)
      try fields.flag("more", &more)
      try fields.field("ended", &ended)
      try fields.field("state", &state)
      try fields.field("outputState", &outputState)
      try fields.field("kept", &kept)
      try fields.field("expanded", &expanded)
    }
  }

  /// Answers `confirm`.
  ///
  /// If it confirms fewer entries than the request has, check the next one with `reduce`: it
  /// differs, or bytes alone cannot prove it.
  package struct Confirmed: Message {
    package static let type = "confirmed"
    package static let role = MessageRole.reply
    /// How many of the entries resulted in the same bytes, from the first one on.
    package var entries: Int64 = 0
    /// Whether any of them contains stand-ins.
    package var redacted = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("entries", &entries)
      try fields.flag("redacted", &redacted)
    }
  }

  /// Answers a command that was carried out.
  package struct Done: Message {
    package static let type = "done"
    package static let role = MessageRole.reply
    /// The last entry of the timeline after the command; absent if it is unknown, as while some
    /// events are not recorded.
    package var seq: Int64?
    /// How many of the app's own events wait for a held machine; absent for none.
    package var queued: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("queued", &queued)
    }
  }

  /// Reports that a machine resumed, because its lease expired or the app requested it.
  package struct Released: Message {
    package static let type = "released"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease that ended.
    package var lease = ""
    /// The reason, a sentence.
    package var why = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
      try fields.field("why", &why)
    }
  }
}
