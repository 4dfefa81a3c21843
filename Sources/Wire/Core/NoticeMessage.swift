package import Timelines

/// A notice of the daemon for the users of a recorder or an inspector.
package struct NoticeMessage: Message {
  package static let type = "notice"
  /// The level.
  package var level = NoticeLevel.info
  /// What happened and what to do.
  package var message = ""
  /// The timeline that it concerns.
  package var timeline: TimelineID?

  package init() {}

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("level", &level)
    try fields.field("message", &message)
    try fields.field("timeline", &timeline)
  }
}
