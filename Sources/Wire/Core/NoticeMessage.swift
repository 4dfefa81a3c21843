package import Timelines

/// Shows a notice to the users of a recorder or an inspector.
package struct NoticeMessage: Message {
  package static let type = "notice"
  /// Its importance.
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
