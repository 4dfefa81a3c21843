package import Timelines

extension ToInspector {
  /// Answers `import`, and again after the last part.
  package struct Import: Message {
    package static let type = "import"
    package static let role = MessageRole.reply
    /// The upload that the parts name.
    package var upload = ""
    /// The maximum bytes of a part.
    package var partBytes: Int64 = 0
    /// The imported timelines, once it is complete.
    package var timelines: [TimelineID]?
    /// What the file lacks, once it is complete: a file that was cut off is imported up to its last
    /// whole entry.
    package var note: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("upload", &upload)
      try fields.field("partBytes", &partBytes)
      try fields.field("timelines", &timelines)
      try fields.field("note", &note)
    }
  }

  /// Answers `export`, in one or more parts.
  ///
  /// There may be several files, one after the other: a test, and the fixture that it replays. A
  /// part with another `name` and `offset` 0 begins the next one.
  package struct Export: Message {
    package static let type = "export"
    package static let role = MessageRole.reply
    /// The file's name.
    package var name = ""
    /// Its media type.
    package var media = ""
    /// Where the part begins.
    package var offset: Int64 = 0
    /// The bytes in base64.
    package var data = ""
    /// Whether further parts follow.
    package var more = false
    /// What is missing from the files, in the last part.
    package var note: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("name", &name)
      try fields.field("media", &media)
      try fields.field("offset", &offset)
      try fields.field("data", &data)
      try fields.flag("more", &more)
      try fields.field("note", &note)
    }
  }
}
