/// What a search reads of one timeline, at one moment: its runs, and their index.
///
/// A branch looks like any other timeline here; which rows hold what is the source's business.
protocol SearchSource {
  /// The first and the last seq; `nil` without entries.
  var ends: ClosedRange<Int64>? { get }

  /// The first run that has a seq or a later one.
  func run(from seq: Int64) throws(StoreError) -> RunPlace?

  /// The last run that has a seq or an earlier one.
  func run(upTo seq: Int64) throws(StoreError) -> RunPlace?

  /// The entries of a run; `nil` when they cannot be read.
  func entries(of place: RunPlace) throws(StoreError) -> EntryRun?

  /// The newest keyframe that is not after a seq.
  func keyframe(upTo seq: Int64) throws(StoreError) -> Int64?

  /// The last seqs in a row that are noted under a key and not after a seq.
  ///
  /// Only indexed runs are known here; no more seqs are answered than stand in one run.
  func noted(_ key: PostingKey, upTo seq: Int64) throws(StoreError) -> ClosedRange<Int64>?

  /// The first seqs in a row that are noted under a key and not before a seq.
  func noted(_ key: PostingKey, from seq: Int64) throws(StoreError) -> ClosedRange<Int64>?

  /// The last run without index that has a seq or an earlier one.
  func unindexed(upTo seq: Int64) throws(StoreError) -> RunPlace?

  /// The first run without index that has a seq or a later one.
  func unindexed(from seq: Int64) throws(StoreError) -> RunPlace?

  /// The indices of the entries of an indexed run whose events have one of some names.
  func places(of names: Set<String>, in place: RunPlace) throws(StoreError) -> PlaceSet

  /// The longest stretch of whole runs that begins with an indexed run and ends within both bounds,
  /// with its counts.
  func stretch(
    beginningWith place: RunPlace, within bounds: StretchBounds
  ) throws(StoreError) -> Stretch?
}

/// A run of a timeline, without its entries.
struct RunPlace: Hashable, Sendable {
  /// The row of the timeline that holds it.
  var row: Int64

  /// The row of the chunk, or of the tail.
  var id: Int64

  /// The seqs of the run that belong to the timeline; a branch may share only its beginning.
  var seqs: ClosedRange<Int64>

  /// The seqs of the whole run.
  var whole: ClosedRange<Int64>

  /// The chunk's ordinal; `nil` in the tail.
  var ordinal: Int64?

  /// Whether there are index rows.
  var isIndexed: Bool

  /// The times of the first and the last entry of the whole run; `nil` in the tail.
  var times: ClosedRange<Int64>?
}

/// Where a stretch has to end: with a last seq and a last time.
struct StretchBounds: Hashable, Sendable {
  /// The last seq.
  var seq: Int64
  /// The last time.
  var t: Int64
}

/// Whole runs with their counts.
struct Stretch: Sendable {
  /// Its last seq.
  var last: Int64
  /// The counts.
  var summary: StretchSummary
}
