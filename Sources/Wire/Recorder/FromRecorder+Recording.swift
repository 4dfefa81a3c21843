package import JSONCore
package import Timelines

extension FromRecorder {
  /// Begins or continues a timeline; idempotent.
  ///
  /// Repeated for each timeline on every connection before its first `append`.
  package struct Open: Message {
    package static let type = "open"
    /// The header, as the first line of a file has it.
    package var header = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("header", &header)
    }
  }

  /// Adds entries to a timeline.
  ///
  /// Entries at or below the daemon's last seq are dropped and counted. The seqs may skip only
  /// where the next entry's `gap` says so; any other jump is refused with `wrong-value`.
  package struct Append: Message {
    package static let type = "append"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entries in order, each as it will be stored.
    package var entries = [JSONSlice]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.list("entries", &entries)
    }
  }

  /// Ends a timeline.
  package struct Close: Message {
    package static let type = "close"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entries that were lost at its end.
    package var gap: Gap?
    /// Whether the timeline is parked: its machine continues, and the recorder opens it again when
    /// needed.
    package var parks = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("gap", &gap)
      try fields.flag("parks", &parks)
    }
  }
}
