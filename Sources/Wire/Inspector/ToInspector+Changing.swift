package import Timelines

extension ToInspector {
  /// Answers `fork`, before anything is computed.
  ///
  /// `progress` follows with the same `re`, the last one when the branch is complete; `cancel` ends
  /// the branch with what it has.
  package struct Fork: Message {
    package static let type = "fork"
    package static let role = MessageRole.reply
    /// The branch.
    package var timeline = TimelineID.zero
    /// Its first entry that the parent does not share.
    package var start: Int64 = 0
    /// The parent.
    package var parent = TimelineID.zero

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("start", &start)
      try fields.field("parent", &parent)
    }
  }

  /// Answers a request without other results.
  package struct Done: Message {
    package static let type = "done"
    package static let role = MessageRole.reply
    /// The last entry of the timeline after a command.
    package var seq: Int64?
    /// The lease, after `hold`.
    package var lease: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("lease", &lease)
    }
  }

  /// Reports the progress of a request: before its answer, for `fork` after it.
  package struct Progress: Message {
    package static let type = "progress"
    package static let role = MessageRole.reply
    /// How much is done.
    package var done: Int64 = 0
    /// The total, if known.
    package var of: Int64?
    /// What is being done.
    package var message: String?
    /// Whether it waits for a host; the message says for which.
    package var waits = false
    /// Whether it has ended; the message says why early, if it did.
    package var ends = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("done", &done)
      try fields.field("of", &of)
      try fields.field("message", &message)
      try fields.flag("waits", &waits)
      try fields.flag("ends", &ends)
    }
  }
}
