package import JSONCore
package import Predicates
package import Timelines

extension FromInspector {
  /// Begins an import; the file follows in `part`s.
  package struct Import: Message {
    package static let type = "import"
    package static let role = MessageRole.request
    /// The file's name, for display; never used as a path.
    package var name = ""
    /// The length of the file.
    package var bytes: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("name", &name)
      try fields.field("bytes", &bytes)
    }
  }

  /// Carries a part of a file.
  package struct Part: Message {
    package static let type = "part"
    package static let role = MessageRole.request
    /// The upload that the answer to `import` named.
    package var upload = ""
    /// Where the part begins.
    package var offset: Int64 = 0
    /// The bytes in base64.
    package var data = ""
    /// Whether the file is complete.
    package var last = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("upload", &upload)
      try fields.field("offset", &offset)
      try fields.field("data", &data)
      try fields.flag("last", &last)
    }
  }

  /// Requests a timeline, or a stretch of it, as a file, or as a test with its fixture.
  package struct Export: Message {
    package static let type = "export"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The format of the file.
    package var format = ExportFormat.timeline
    /// The first seq; absent for the start.
    package var from: Int64?
    /// The last, included; absent for the end.
    package var to: Int64?
    /// What a test asserts.
    package var assertion: ExportAssertion?
    /// The paths that a test asserts, or the columns of a table.
    package var paths: [Pointer]?
    /// The predicates that are true at the last entry of a test.
    package var expect: [Predicate]?
    /// The predicates that are true at no entry of a test.
    package var never: [Predicate]?
    /// The test's name; absent for the name that a person gave the timeline or branch, or else the
    /// machine's.
    package var name: String?
    /// The expression of a fresh machine, if the recording has none.
    package var make: String?
    /// The entry around which a host computes branches for an HTML file. The first predicate of
    /// `never` adds the branch with the fewest events for it.
    package var whatIf: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("format", &format)
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("assertion", &assertion)
      try fields.field("paths", &paths)
      try fields.field("expect", &expect)
      try fields.field("never", &never)
      try fields.field("name", &name)
      try fields.field("make", &make)
      try fields.field("whatIf", &whatIf)
    }
  }
}
