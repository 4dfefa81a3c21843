/// A run of stored entries as a reader finds it: a chunk, or some of the tail.
package struct StoredPiece: Sendable {
  /// The row of the timeline that holds it: of a branch's shared entries it is an ancestor's.
  package var row: Int64

  /// The seqs that belong to the timeline that was asked for; a branch may share only the beginning
  /// of its parent's chunk.
  package var seqs: ClosedRange<Int64>

  /// The first seq of the chunk, which the index's rows name; `nil` in the tail.
  package var chunk: Int64?

  /// Whether there are index rows for the chunk.
  package var isIndexed: Bool

  /// The times of the run's first and last entry; of the last one alone in the tail.
  package var times: ClosedRange<Int64>

  /// The newest keyframe before the run.
  package var base: Int64?

  /// The seqs of a chunk's keyframes; `nil` in the tail, where nobody noted them.
  var keyframes: [Int64]?

  /// The entries, or why they cannot be read.
  package var content: Result<EntryRun, StoreError>
}
