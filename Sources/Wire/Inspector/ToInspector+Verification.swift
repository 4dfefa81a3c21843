package import JSONCore
package import Predicates
package import Timelines

extension ToInspector {
  /// Answers `verify`.
  package struct Verify: Message {
    package static let type = "verify"
    package static let role = MessageRole.reply
    /// The result.
    package var outcome = VerifyOutcome.same
    /// How many entries were compared.
    package var entries: Int64 = 0
    /// The first entry that differs.
    package var seq: Int64?
    /// The patch from what was recorded to what was computed there.
    package var patch: JSONSlice?
    /// Why it is inconclusive, or what the host reported.
    package var message: String?
    /// The failure that the branch was judged by, instead of its recorded values.
    package var failure: Predicate?
    /// Why the host ran no further than `seq`, if it did not reach the end.
    package var why: BranchEnd?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("outcome", &outcome)
      try fields.field("entries", &entries)
      try fields.field("seq", &seq)
      try fields.field("patch", &patch)
      try fields.field("message", &message)
      try fields.field("failure", &failure)
      try fields.field("why", &why)
    }
  }

  /// How often a path differs.
  package struct PathCount: MessagePart {
    /// The path.
    package var path = Pointer.root
    /// In how many entries.
    package var entries: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("path", &path)
      try fields.field("entries", &entries)
    }
  }

  /// Answers `compare`.
  ///
  /// Entries that only one side has are not among those that differ. Entries whose state was not
  /// captured on either side do not count. If a host ends early, the entries from there to the end
  /// of the recording differ, unless the recorded app died at that entry as well. What the reducer
  /// threw is part of a moment, at `/error`.
  package struct Compare: Message {
    package static let type = "compare"
    package static let role = MessageRole.reply
    /// How many entries are equal.
    package var equal: Int64 = 0
    /// How many differ.
    package var differing: Int64 = 0
    /// The first entry that differs, on the one side.
    package var a: EntryReference?
    /// The entry aligned with it.
    package var b: EntryReference?
    /// The patch from the one to the other.
    package var patch: JSONSlice?
    /// The paths that differ, the most frequent first.
    package var paths: [PathCount]?
    /// How many entries only one side has.
    package var alone: Int64?
    /// Why the host ended early, or what the first difference of independent recordings means.
    package var message: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("equal", &equal)
      try fields.field("differing", &differing)
      try fields.field("a", &a)
      try fields.field("b", &b)
      try fields.field("patch", &patch)
      try fields.field("paths", &paths)
      try fields.field("alone", &alone)
      try fields.field("message", &message)
    }
  }

  /// Answers `minimise`.
  package struct Minimize: Message {
    package static let type = "minimise"
    package static let role = MessageRole.reply
    /// The branch with the fewest events; the timeline itself if nothing could be left out of it.
    package var timeline = TimelineID.zero
    /// How many events it has.
    package var events: Int64 = 0
    /// How often the reducer ran over a candidate.
    package var runs: Int64 = 0
    /// Whether no single event can be left out; false if time ran out.
    package var minimal = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("events", &events)
      try fields.field("runs", &runs)
      try fields.flag("minimal", &minimal)
    }
  }
}
