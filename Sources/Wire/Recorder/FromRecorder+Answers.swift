package import JSONCore
package import Timelines

extension FromRecorder {
  /// Answers `reduce`, in one or more parts.
  package struct Reduced: Message {
    package static let type = "reduced"
    package static let role = MessageRole.reply
    /// The entries that came out, in order.
    package var entries = [JSONSlice]()
    /// Whether further parts follow.
    package var more = false
    /// Why there are fewer entries than events.
    package var ended: EarlyEnd?
    /// The state after the last step, in the last part, when it was asked for.
    package var state: JSONSlice?
    /// The outputs of that state.
    package var outputState: JSONSlice?
    /// Which steps of the timeline the host keeps, after `load`.
    package var kept: SeqRange?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("entries", &entries)
      try fields.flag("more", &more)
      try fields.field("ended", &ended)
      try fields.field("state", &state)
      try fields.field("outputState", &outputState)
      try fields.field("kept", &kept)
    }
  }

  /// Answers `confirm`.
  ///
  /// Where it is less than all, the next entry has to be looked at by `reduce`: it differs, or it is
  /// none that bytes alone prove.
  package struct Confirmed: Message {
    package static let type = "confirmed"
    package static let role = MessageRole.reply
    /// How many of the entries came out in the same bytes, from the first one on.
    package var entries: Int64 = 0
    /// Whether any of them holds stand-ins.
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
    /// The last entry of the timeline after it.
    package var seq: Int64?
    /// How many of the app's own events wait for a held machine; absent where none does.
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
    /// The reason, as text.
    package var why = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
      try fields.field("why", &why)
    }
  }
}
