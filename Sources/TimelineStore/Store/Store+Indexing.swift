import Synchronization
import Timelines

extension Store {
  /// Indexes some chunks that have no index; returns whether there are more.
  ///
  /// For an index of another version, or one that was lost. Runs in the background, one chunk at a
  /// time.
  package nonisolated func indexMore() async throws -> Bool {
    try checkWriting()
    let next = try await read { reader in try reader.unindexed() }
    guard let next else { return false }
    let rows = indexer.rows(for: next.run)
    try await answer { done in
      change(next.id, done: done) { live throws(StoreError) in
        guard live.row == next.row else { return [] }
        return [.index(row: next.row, chunk: next.run.first, rows)]
      }
    }
    return true
  }
}

extension StoreReader {
  fileprivate struct Unindexed: Sendable {
    var id: TimelineID
    var row: Int64
    var run: EntryRun
  }

  /// The first readable chunk without an index.
  fileprivate func unindexed() throws(StoreError) -> Unindexed? {
    // A damaged chunk stays without an index; few are damaged.
    for place in try rows.unindexedChunks(limit: 1_000) {
      let lineage = try lineage(of: place.id)
      guard let piece = try piece(of: lineage, at: place.first), let run = try? piece.content.get()
      else { continue }
      return Unindexed(id: place.id, row: lineage.row, run: run)
    }
    return nil
  }
}
