package import Timelines

/// One change of the stored rows.
///
/// What the store decides is data; whoever keeps the rows applies a list of changes whole or not at
/// all.
package enum RowChange: Sendable {
  /// A timeline begins.
  case begin(TimelineRow)
  /// A header was replaced by a newer one of the same timeline.
  case header(row: Int64, Header)
  /// Entries arrive.
  case append(TailRow)
  /// A run is sealed: its rows leave the tail.
  case seal(ChunkRow, IndexRows)
  /// The index of a chunk was made later.
  case index(row: Int64, chunk: Int64, IndexRows)
  /// A recorder ended a timeline, or went on.
  case close(row: Int64, isClosed: Bool, lost: Gap?)
  /// A branch is being computed up to a seq, or is complete, perhaps early.
  case computing(row: Int64, through: Int64?, ended: BranchEnd?)
  /// A person named a timeline.
  case rename(row: Int64, String?)
  /// A person marked an entry, or took the mark away.
  case mark(row: Int64, seq: Int64, String?)
  /// An imported timeline is complete.
  case publish(row: Int64)
  /// An import was given up; nobody knew of it.
  case discard(row: Int64)
  /// A timeline is deleted; its entries go later, step by step.
  case delete(row: Int64, TimelineID, at: Int64)
  /// The head of a timeline goes, up to a chunk that is written anew.
  case cutHead(ChunkRow, IndexRows, replacing: Int64)
}

/// A timeline as it begins.
package struct TimelineRow: Sendable {
  /// Its row.
  package var row: Int64
  /// The header.
  package var header: Header
  /// The row of the parent, and what the branch shares with it.
  package var parent: Shared?
  /// Whether it is hidden until it is complete.
  package var isImporting: Bool
  /// The last seq of a branch that is to be computed.
  package var computing: Int64?
  /// The wall clock, in microseconds since 1970.
  package var now: Int64

  /// What a branch shares with its parent.
  package struct Shared: Sendable {
    /// The parent's row.
    package var row: Int64
    /// The first seq that is not shared.
    package var start: Int64
    /// How many entries are shared.
    package var count: Int64
    /// The first of them.
    package var first: Int64?
    /// The `t` of the last of them.
    package var t: Int64
    /// Whether the state after the last of them is known.
    package var isKnown: Bool
  }
}

/// A run that is not sealed yet.
package struct TailRow: Sendable {
  /// The timeline's row.
  package var row: Int64
  /// The seqs.
  package var seqs: ClosedRange<Int64>
  /// The `t` of the last entry.
  package var t: Int64
  /// The newest keyframe before the run.
  package var base: Int64?
  /// The newest keyframe up to its end.
  package var newest: Int64?
  /// Whether the state after the last entry is known.
  package var isKnown: Bool
  /// The lines.
  package var lines: [UInt8]
}

/// A sealed run.
package struct ChunkRow: Sendable {
  /// The timeline's row.
  package var row: Int64
  /// Its place among the timeline's chunks.
  package var ordinal: Int64
  /// The seqs.
  package var seqs: ClosedRange<Int64>
  /// The `t` of the first and the last entry.
  package var times: ClosedRange<Int64>
  /// The newest keyframe before the run.
  package var base: Int64?
  /// The newest keyframe up to its end.
  package var newest: Int64?
  /// Whether the state after the last entry is known.
  package var isKnown: Bool
  /// The bytes of the lines.
  package var bytes: Int
  /// The places of the keyframes, encoded.
  package var keyframes: [UInt8]
  /// The lines as a zstd frame.
  package var packed: [UInt8]
  /// The wall clock, in microseconds since 1970.
  package var now: Int64
}

/// Whoever keeps the rows of all timelines.
///
/// SQLite does; a test does so to fail at will; a shared database could for a team.
package protocol RowWriting: AnyObject {
  /// Makes changes, all of them or none, and returns when they survive anything.
  func commit(_ changes: [RowChange]) throws(StoreError)

  /// The greatest row that a timeline has or had; 0 when there was none.
  func lastRow() throws(StoreError) -> Int64

  /// Makes durable whatever an earlier connection left behind.
  func prove() throws(StoreError)

  /// Where a timeline stands, when there is one.
  func standing(of id: TimelineID) throws(StoreError) -> Standing?

  /// The bytes that the rows take.
  func usedBytes() throws(StoreError) -> Int64

  /// Does a short piece of the work that can wait; answers whether there is more.
  func tidy() throws(StoreError) -> Bool
}

/// Where a timeline stands, as its rows say.
package struct Standing: Sendable {
  /// Its row.
  package var row: Int64
  /// The header's line.
  package var header: [UInt8]
  /// The last seq; for a branch without entries the last one that it shares.
  package var last: Int64?
  /// The `t` of the last entry.
  package var t: Int64
  /// The newest keyframe.
  package var newest: Int64?
  /// Whether the state after the last entry is known.
  package var isKnown: Bool
  /// The next chunk's ordinal.
  package var chunks: Int64
  /// The runs that are not sealed, with the newest keyframe before each.
  package var tail: [(first: Int64, base: Int64?, lines: [UInt8])]
  /// Whether its recorder ended it.
  package var isClosed: Bool
  /// Whether it was deleted; then nothing else means anything.
  package var isGone: Bool
  /// Whether it is being imported.
  package var isImporting = false
}
