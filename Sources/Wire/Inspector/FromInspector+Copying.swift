package import JSONCore
package import Timelines

// A copy is a prefix of its original at every moment: chunks are appended in order, so a transfer
// that was cut continues where the copy ends.

extension FromInspector {
  /// Requests everything of a timeline except its entries, to copy it; see [Copying
  /// timelines](#copying-timelines).
  ///
  /// A branch that is being computed is answered once it is complete.
  package struct Manifest: Message {
    package static let type = "manifest"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entries to compute a digest of; absent for none.
    package var compared: SeqRange?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("compared", &compared)
    }
  }

  /// Requests stored chunks of a timeline, as they are, without those of its parent.
  package struct Fetch: Message {
    package static let type = "fetch"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The last entry that the copy has; absent for none.
    package var after: Int64?
    /// Where to continue inside a chunk that exceeds a part.
    package var offset: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("after", &after)
      try fields.field("offset", &offset)
    }
  }

  /// Offers a copy of a timeline; begins it if the daemon does not have it.
  ///
  /// Refused with `conflict` while a recorder writes the timeline, and if the id belongs to another
  /// timeline; with `not-found` if the parent, or an entry that is shared with it, is missing.
  package struct Offer: Message {
    package static let type = "offer"
    package static let role = MessageRole.request
    /// The header of the timeline.
    package var header = JSONSlice.null
    /// The first of its own entries; absent when it has none.
    package var first: Int64?
    /// The last of its own entries.
    package var last: Int64?
    /// Whether it shares the entries of its parent before its own.
    package var shares = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("header", &header)
      try fields.field("first", &first)
      try fields.field("last", &last)
      try fields.flag("shares", &shares)
    }
  }

  /// Appends chunks to the copy of a timeline.
  ///
  /// Answered once they are durable; `seq` is the last entry of the copy, and absent after a part
  /// that does not complete its chunk. All chunks of a message are stored, or none.
  package struct Deposit: Message {
    package static let type = "deposit"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// Consecutive chunks, at most 256; or a part of one, alone.
    package var chunks = [CopiedChunk]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("chunks", &chunks)
    }
  }

  /// Adds what belongs to the copy of a timeline apart from its entries, where it has none yet.
  package struct Finish: Message {
    package static let type = "finish"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The name that a person gave it.
    package var name: String?
    /// Marks on entries that have none.
    package var marks: [ToInspector.TimelineMark]?
    /// Whether its recorder ended it.
    package var closed = false
    /// What was lost after the last entry.
    package var gap: Gap?
    /// Why a branch ends before all edits were applied.
    package var ended: BranchEnd?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("name", &name)
      try fields.field("marks", &marks)
      try fields.flag("closed", &closed)
      try fields.field("gap", &gap)
      try fields.field("ended", &ended)
    }
  }
}

/// A stored chunk on its way to another daemon, or a part of one.
package struct CopiedChunk: MessagePart {
  /// Its first entry.
  package var first: Int64 = 0
  /// Its last entry.
  package var last: Int64 = 0
  /// The bytes of its lines, each with its line feed.
  package var bytes: Int64 = 0
  /// The bytes of the zstd frame; absent when `data` is the whole frame.
  package var size: Int64?
  /// Where `data` begins in the frame; absent for 0.
  package var offset: Int64?
  /// The zstd frame in base64, or a part of it.
  package var data = ""

  package init() {}

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("first", &first)
    try fields.field("last", &last)
    try fields.field("bytes", &bytes)
    try fields.field("size", &size)
    try fields.field("offset", &offset)
    try fields.field("data", &data)
  }
}
