package import JSONCore
package import Timelines

extension ToInspector {
  /// Answers `entries`.
  package struct Entries: Message {
    package static let type = "entries"
    package static let role = MessageRole.reply
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lines without full states, values of more than 1 KiB cut to `{"$cut":bytes}`.
    package var entries = [JSONSlice]()
    /// Where to continue; absent at the end.
    package var next: Int64?
    /// The ranges where the filter's result is unknown.
    package var unknown: [SeqRange]?
    /// Where `anywhere` found something in these entries; paths of more than 1 KiB are left out.
    package var leaves: [FoundLeaf]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("entries", &entries)
      try fields.field("next", &next)
      try fields.field("unknown", &unknown)
      try fields.field("leaves", &leaves)
    }
  }

  /// Answers `state`.
  ///
  /// For a state that was not captured, without `compute`, the answer is the error `thinned`.
  package struct State: Message {
    package static let type = "state"
    package static let role = MessageRole.reply
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0
    /// The requested path.
    package var path: Pointer?
    /// The value; absent if there is none at the path.
    package var value: JSONSlice?
    /// Whether a host computed it.
    package var computed = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
      try fields.field("path", &path)
      try fields.field("value", &value)
      try fields.flag("computed", &computed)
    }
  }

  /// Answers `raw`.
  package struct Raw: Message {
    package static let type = "raw"
    package static let role = MessageRole.reply
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The stored line.
    package var entry = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("entry", &entry)
    }
  }

  /// Answers `diff`.
  package struct Diff: Message {
    package static let type = "diff"
    package static let role = MessageRole.reply
    /// The patch that leads from the first moment to the second, its paths `/state/…` and
    /// `/outputs/…`.
    package var patch = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("patch", &patch)
    }
  }
}
