/// A run of stored entries: a chunk, or a part of the tail.
package struct StoredPiece: Sendable {
  /// The row of the timeline that holds it; for a branch's shared entries, an ancestor's.
  package var row: Int64

  /// The seqs that belong to the requested timeline; a branch may share only the start of its
  /// parent's chunk.
  package var seqs: ClosedRange<Int64>

  /// The first seq of the chunk, which the index rows refer to; `nil` in the tail.
  package var chunk: Int64?

  /// Whether the chunk has index rows.
  package var isIndexed: Bool

  /// The times of the run's first and last entry; in the tail only of the last one.
  package var times: ClosedRange<Int64>

  /// The newest keyframe before the run.
  package var base: Int64?

  /// The seqs of a chunk's keyframes; `nil` in the tail, which does not record them.
  var keyframes: [Int64]?

  /// The entries, or why they cannot be read.
  package var content: Result<EntryRun, StoreError>
}
