package import Timelines

extension ToRecorder {
  /// Reports how far a timeline is durable.
  package struct Ack: Message {
    package static let type = "ack"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The last seq that survives a crash of the daemon and of the computer; absent if there is
    /// none, which only recorders that may park timelines receive.
    package var durable: Int64?
    /// Whether it answers `close`, so that another timeline can be opened.
    package var closed = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("durable", &durable)
      try fields.flag("closed", &closed)
    }
  }

  /// Adds to the credit.
  package struct Credit: Message {
    package static let type = "credit"
    /// The added bytes.
    package var bytes: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("bytes", &bytes)
    }
  }

  /// Reports that a timeline was deleted. The recorder opens another one, which begins with a
  /// keyframe.
  package struct Gone: Message {
    package static let type = "gone"
    /// The timeline.
    package var timeline = TimelineID.zero

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
    }
  }

  /// Selects the events to record from now on.
  ///
  /// Does not discard recorded entries. `"allow":[]` pauses recording; without `allow` and `deny`,
  /// the app's own selection applies again.
  package struct Capture: Message {
    package static let type = "capture"
    package static let role = MessageRole.request
    /// The timeline; absent for all timelines of the recorder.
    package var timeline: TimelineID?
    /// The names of the events to record; absent for all.
    package var allow: [String]?
    /// The names of the events not to record.
    package var deny: [String]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("allow", &allow)
      try fields.field("deny", &deny)
    }
  }

  /// Shows a notice.
  package typealias Notice = NoticeMessage
}
