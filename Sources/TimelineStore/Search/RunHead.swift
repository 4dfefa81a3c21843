/// A run of a timeline, without its entries.
struct RunHead: Hashable, Sendable {
  /// The row of the timeline that holds it.
  var row: Int64

  /// The row of the chunk; `nil` in the tail.
  var chunk: Int64?

  /// The seqs of the run that belong to the timeline; a branch may share only its start.
  var seqs: ClosedRange<Int64>

  /// The seqs of the whole run.
  var whole: ClosedRange<Int64>

  /// The chunk's ordinal.
  var ordinal: Int64 = 0

  var isIndexed = false

  /// The times of the first and the last entry of the whole run; in the tail only of the last one.
  var times: ClosedRange<Int64>
}

struct StretchBounds: Hashable, Sendable {
  /// The last seq.
  var seq: Int64
  /// The last time.
  var t: Int64
}

/// Consecutive whole runs with their counts.
struct Stretch: Sendable {
  /// Its last seq.
  var last: Int64
  var summary: StretchSummary
}

/// The counts of a whole run.
struct RunSummary: Sendable {
  var seqs: ClosedRange<Int64>
  /// The times of its first and its last entry.
  var times: ClosedRange<Int64>
  var summary: StretchSummary
}
