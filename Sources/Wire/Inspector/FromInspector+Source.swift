package import Timelines

extension FromInspector {
  /// Requests the lines of source around an entry's call site.
  ///
  /// The daemon reads them below the folders that its user named, and nowhere else.
  package struct Source: Message {
    package static let type = "source"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0
    /// How many lines before and after the call site, 0 to 20 (default: 5).
    package var around: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
      try fields.field("around", &around)
    }
  }
}

extension ToInspector {
  /// Answers `source`.
  package struct Source: Message {
    package static let type = "source"
    package static let role = MessageRole.reply
    /// The call site, as it was recorded.
    package var at = ""
    /// The path of the file on the daemon's machine.
    package var file = ""
    /// The number of the line, from 1.
    package var line: Int64 = 0
    /// The number of the first of the `lines`.
    package var first: Int64 = 0
    /// The lines, as they are in the file now; long ones are cut.
    package var lines = [String]()
    /// The address that opens an editor, with `{file}` and `{line}` in place of them.
    package var editor: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("at", &at)
      try fields.field("file", &file)
      try fields.field("line", &line)
      try fields.field("first", &first)
      try fields.field("lines", &lines)
      try fields.field("editor", &editor)
    }
  }
}
