package import Timelines

// Safe: a driver lends bytes for the length of a call, with their length.

/// Reads the rows of all timelines as of one moment, for one thread.
///
/// A driver answers these questions and decides nothing: what the rows mean is the concern of
/// ``StoreReader`` and of the searches. Bytes that are lent to a closure are valid only in it.
package protocol RowReading: AnyObject {
  /// Begins a moment: until ``endMoment()`` all answers are as of now.
  func beginMoment() throws(StoreError)

  /// Ends a moment; what is read later is newer.
  func endMoment()

  // MARK: Timelines

  /// All timelines that are neither hidden nor deleted, the newest first.
  ///
  /// A start later than the last write counts as the time of the write: a recorder's clock that is
  /// ahead, or a false header, would otherwise stay the newest forever.
  func timelines() throws(StoreError) -> [TimelineRecord]

  /// Those of them that a word may mean, and perhaps others; the newest first.
  func timelines(named word: String, takesAll: Bool) throws(StoreError) -> [TimelineRecord]

  func timelines(newest count: Int) throws(StoreError) -> [TimelineRecord]

  /// A timeline, unless it is hidden.
  func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord?

  /// Whether a timeline was deleted.
  func isGone(_ id: TimelineID) throws(StoreError) -> Bool

  /// The row of a timeline that is not hidden, and those of its ancestors; empty if there is none.
  func ancestry(of id: TimelineID) throws(StoreError) -> [AncestryRow]

  /// Whether all rows belong to kept timelines: nothing is being deleted or imported.
  func isSettled() throws(StoreError) -> Bool

  func usedBytes() throws(StoreError) -> Int64

  // MARK: Entries

  /// Where the entries of a row begin and end.
  func ends(of row: Int64) throws(StoreError) -> RowEnds

  /// The number of entries of a row between two seqs.
  func entryCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64

  /// The chunk at a place, without its lines.
  func chunk(
    _ place: ChunkPlace, of row: Int64, unindexedOnly: Bool
  ) throws(StoreError) -> ChunkHead?

  /// The chunk at a place. The second argument of the closure lends its zstd frame; a driver may
  /// read it only then.
  func withChunk<Value>(
    _ place: ChunkPlace, of row: Int64,
    _ body: (ChunkHead, _ lending: ((UnsafeRawBufferPointer) -> Void) -> Void) -> Value
  ) throws(StoreError) -> Value?

  /// The number of chunks of a row that end between two seqs.
  func chunkCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64

  /// All chunks of a row in order, with their sizes.
  func chunkSizes(of row: Int64) throws(StoreError) -> [ChunkSize]

  /// Rows of the tail in the direction of a place, until they have a number of bytes. The last one
  /// may exceed it.
  func tail(_ place: TailPlace, of row: Int64, bytes: Int) throws(StoreError) -> [TailPart]

  /// The bytes of the lines of a row's tail.
  func tailBytes(of row: Int64) throws(StoreError) -> Int64

  // MARK: Index

  /// The version of the stored index; rows of another version are meaningless.
  func indexVersion() throws(StoreError) -> Int64

  /// The chunks without an index, in order, up to a number.
  func unindexedChunks(limit: Int) throws(StoreError) -> [(id: TimelineID, first: Int64)]

  /// The first seqs of the chunks of a row that have an index.
  func indexedChunks(of row: Int64) throws(StoreError) -> Set<Int64>

  /// The posting of a key at a place: its chunk's first seq, and the encoded seqs.
  func withPosting<Value>(
    _ place: PostingPlace, of row: Int64, key: Int64,
    _ body: (Int64, UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value?

  /// The ids of those names that events of a row have.
  func eventIDs(_ names: Set<String>, of row: Int64) throws(StoreError) -> [Int64]

  /// The encoded entries of a chunk with an event's name.
  func withEntries<Value>(
    ofEvent id: Int64, chunk: Int64, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value?

  /// Rows of the pyramid with consecutive ordinals, in order.
  func levels(
    _ level: Int64, _ ordinals: ClosedRange<Int64>, of row: Int64
  ) throws(StoreError) -> [LevelRow]

  /// Passes every posting of a row to a closure: key, chunk, and encoded seqs.
  func forEachPosting(
    of row: Int64, _ body: (Int64, Int64, [UInt8]) -> Void
  ) throws(StoreError)

  /// Passes every name of a row to a closure: chunk, count, name, and encoded entries.
  func forEachName(
    of row: Int64, _ body: (Int64, IndexRows.Name) -> Void
  ) throws(StoreError)

  // MARK: Check

  /// The problems that the database finds in itself, as clauses.
  func integrityFaults() throws(StoreError) -> [String]
}

extension RowReading {
  package func timelines(
    named word: String, takesAll: Bool
  ) throws(StoreError) -> [TimelineRecord] {
    var match = WordMatch(word, takesAll: takesAll)
    return try timelines().filter { match.selects(TimelineNames($0)) }
  }

  package func timelines(newest count: Int) throws(StoreError) -> [TimelineRecord] {
    Array(try timelines().prefix(count))
  }
}
