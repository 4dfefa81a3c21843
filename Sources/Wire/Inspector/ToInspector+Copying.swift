package import JSONCore
package import Timelines

extension ToInspector {
  /// Answers `manifest`.
  package struct Manifest: Message {
    package static let type = "manifest"
    package static let role = MessageRole.reply
    /// The header.
    package var header = JSONSlice.null
    /// The first of its own entries; absent when it has none.
    package var first: Int64?
    /// The last of its own entries.
    package var last: Int64?
    /// Whether it shares the entries of its parent before its own.
    package var shares = false
    /// The name that a person gave it.
    package var name: String?
    /// Its marks.
    package var marks: [TimelineMark]?
    /// Whether its recorder ended it.
    package var closed = false
    /// What was lost after the last entry.
    package var gap: Gap?
    /// Why a branch ends before all edits were applied.
    package var ended: BranchEnd?
    /// The digest of the compared entries.
    package var digest: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("header", &header)
      try fields.field("first", &first)
      try fields.field("last", &last)
      try fields.flag("shares", &shares)
      try fields.field("name", &name)
      try fields.field("marks", &marks)
      try fields.flag("closed", &closed)
      try fields.field("gap", &gap)
      try fields.field("ended", &ended)
      try fields.field("digest", &digest)
    }
  }

  /// Answers `fetch`.
  package struct Fetch: Message {
    package static let type = "fetch"
    package static let role = MessageRole.reply
    /// Consecutive chunks, or a part of one; none at the end.
    package var chunks = [CopiedChunk]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("chunks", &chunks)
    }
  }

  /// Answers `offer`.
  package struct Offer: Message {
    package static let type = "offer"
    package static let role = MessageRole.reply
    /// The last own entry of the copy; absent when it has none.
    package var last: Int64?
    /// The entries that both have.
    package var compared: SeqRange?
    /// The digest of those entries in the copy.
    package var digest: String?
    /// The entries with marks in the copy.
    package var marked: [Int64]?
    /// Whether the copy has a name of its own.
    package var named = false
    /// Whether the copy has ended.
    package var closed = false
    /// Why the copy of a branch ends early.
    package var ended: BranchEnd?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("last", &last)
      try fields.field("compared", &compared)
      try fields.field("digest", &digest)
      try fields.field("marked", &marked)
      try fields.flag("named", &named)
      try fields.flag("closed", &closed)
      try fields.field("ended", &ended)
    }
  }
}
