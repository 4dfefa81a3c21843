package import Timelines

/// A snapshot of the stored timelines: everything that was durable at one moment, and nothing
/// later.
///
/// ``Store/read(_:)`` lends it to a closure on a reading thread. Keep reads short, some dozens of
/// milliseconds: the database log cannot be emptied meanwhile. Split long work into several reads.
package final class StoreReader {
  let rows: any RowReading
  let caches: StoreCaches
  let zstd = Zstd()

  /// The last piece that was read, and its step: reading a moment needs the same piece for the
  /// entry, its keyframe, and the patches between.
  var latest: (step: Lineage.Step, piece: StoredPiece)?

  init(_ rows: any RowReading, caches: StoreCaches) {
    self.rows = rows
    self.caches = caches
  }

  /// The version of the stored index; rows of another version are meaningless.
  package func indexVersion() throws(StoreError) -> Int64 {
    try rows.indexVersion()
  }

  /// The rows that hold a timeline's entries.
  package func lineage(of id: TimelineID) throws(StoreError) -> Lineage {
    var steps: [Lineage.Step] = []
    var upper = Int64.max
    for link in try rows.ancestry(of: id) {
      let lower = link.start ?? 0
      if lower <= upper { steps.append(Lineage.Step(row: link.row, seqs: lower...upper)) }
      upper = min(upper, lower - 1)
      guard upper >= 0 else { break }
    }
    guard !steps.isEmpty else { throw StoreError(.notFound(id)) }
    return Lineage(id: id, steps: steps.reversed())
  }
}
