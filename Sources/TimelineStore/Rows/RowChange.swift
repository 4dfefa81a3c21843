package import Timelines
package import Wire

/// One change of the stored rows.
///
/// The store decides, and its decisions are data; the row writer applies a list of changes
/// atomically.
package enum RowChange: Sendable {
  case begin(TimelineRow)
  /// A newer header of a timeline.
  case header(row: Int64, Header)
  case append(TailRow)
  /// A sealed run: its rows leave the tail.
  case seal(ChunkRow, IndexRows)
  /// The index of a chunk that had none.
  case index(row: Int64, chunk: Int64, IndexRows)
  /// A recorder ended a timeline, or continued it.
  case close(row: Int64, isClosed: Bool, lost: Gap?)
  /// A branch is being computed up to a seq, or is complete, perhaps early.
  case computing(row: Int64, through: Int64?, ended: BranchEnd?)
  case rename(row: Int64, String?)
  /// The user marked an entry, or removed the mark.
  case mark(row: Int64, seq: Int64, String?)
  /// An import is complete.
  case publish(row: Int64)
  /// An import was canceled; it was never visible.
  case discard(row: Int64)
  /// A timeline is deleted; its entries are removed later, step by step.
  case delete(row: Int64, TimelineID, at: Int64)
  /// The start of a timeline is removed, up to a chunk that is rewritten.
  case cutHead(ChunkRow, IndexRows, replacing: Int64)
  /// Writes something without a meaning, to see whether the disk permits it.
  case probe
}

/// A new timeline.
package struct TimelineRow: Sendable {
  package var row: Int64
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
  package var seqs: ClosedRange<Int64>
  /// The `t` of the last entry.
  package var t: Int64
  /// The newest keyframe before the run.
  package var base: Int64?
  /// The newest keyframe up to its end.
  package var newest: Int64?
  /// Whether the state after the last entry is known.
  package var isKnown: Bool
  package var lines: [UInt8]
}

/// A sealed run.
package struct ChunkRow: Sendable {
  /// The timeline's row.
  package var row: Int64
  /// Its ordinal among the timeline's chunks.
  package var ordinal: Int64
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

/// Writes the rows of all timelines.
///
/// A driver has one writer, which tests can wrap with a failing one.
package protocol RowWriting: AnyObject {
  /// Applies changes atomically, and returns when they are durable.
  func commit(_ changes: [RowChange]) throws(StoreError)

  /// The greatest row that a timeline has or had; 0 if there was none.
  func lastRow() throws(StoreError) -> Int64

  /// Makes durable whatever an earlier connection left in the log.
  func syncLog() throws(StoreError)

  /// The stored end of a timeline, if it exists.
  func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd?

  /// Whether a timeline with a branch from this row exists.
  func hasBranch(of row: Int64) throws(StoreError) -> Bool

  func usedBytes() throws(StoreError) -> Int64

  /// Performs a short piece of maintenance; returns whether there is more.
  func performMaintenance() throws(StoreError) -> Bool
}

/// The stored end of a timeline.
package struct StoredEnd: Sendable {
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
  /// Whether it was deleted; then the other values are meaningless.
  package var isGone: Bool
  package var isImporting = false

  package init(
    row: Int64, header: [UInt8], last: Int64?, t: Int64, newest: Int64?, isKnown: Bool,
    chunks: Int64, isClosed: Bool, isImporting: Bool
  ) {
    self.row = row
    self.header = header
    self.last = last
    self.t = t
    self.newest = newest
    self.isKnown = isKnown
    self.chunks = chunks
    self.isClosed = isClosed
    self.isImporting = isImporting
    tail = []
    isGone = false
  }

  /// The end of a timeline that was deleted.
  package static var gone: StoredEnd {
    var end = StoredEnd(
      row: 0, header: [], last: nil, t: 0, newest: nil, isKnown: false, chunks: 0, isClosed: true,
      isImporting: false)
    end.isGone = true
    return end
  }

  /// Adds a row of the tail, which is later than everything so far.
  package mutating func add(_ part: TailPart, newest: Int64?, isKnown: Bool) {
    last = part.last
    t = part.t
    self.newest = newest
    self.isKnown = isKnown
    tail.append((part.first, part.base, part.lines))
  }
}
