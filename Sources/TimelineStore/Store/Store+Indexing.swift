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
    var places: [(id: TimelineID, first: Int64)] = []
    try asking { () throws(DatabaseError) in
      let sql = """
        SELECT t.uuid, c.first FROM chunk c JOIN timeline t ON t.id = c.timeline
        WHERE c.indexed = 0 AND t.phase = 0 ORDER BY c.timeline, c.last
        """
      try database.withStatement(sql) { row throws(DatabaseError) in
        // A damaged chunk stays without an index; few are damaged.
        while places.count < 1_000, try row.step() {
          guard let id = row.text(0).flatMap({ TimelineID($0) }) else { continue }
          places.append((id, row.int(1)))
        }
      }
    }
    for place in places {
      let lineage = try lineage(of: place.id)
      guard let piece = try piece(of: lineage, at: place.first), let run = try? piece.content.get()
      else { continue }
      return Unindexed(id: place.id, row: lineage.row, run: run)
    }
    return nil
  }
}
