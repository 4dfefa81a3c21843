import TimelineStore
import Timelines

// Safe: a result keeps its bytes until it is released, and lends them for the length of a call.

extension PostgresReading {
  func indexVersion() throws(StoreError) -> Int64 {
    try ask("SELECT value FROM meta WHERE key = 'index'").first?.int(0) ?? 0
  }

  func unindexedChunks(limit: Int) throws(StoreError) -> [(id: TimelineID, first: Int64)] {
    try ask(
      """
      SELECT t.uuid, c.first FROM chunk c JOIN timeline t ON t.id = c.timeline
      WHERE NOT c.indexed AND t.phase = 0 ORDER BY c.timeline, c.last LIMIT $1
      """, .int(Int64(limit))
    ).rows.compactMap { row in
      row.text(0).flatMap { TimelineID($0) }.map { (id: $0, first: row.int(1)) }
    }
  }

  func indexedChunks(of row: Int64) throws(StoreError) -> Set<Int64> {
    Set(
      try ask("SELECT first FROM chunk WHERE timeline = $1 AND indexed", .int(row)).rows
        .map { $0.int(0) })
  }

  func withPosting<Value>(
    _ place: PostingPlace, of row: Int64, key: Int64,
    _ body: (Int64, UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value? {
    let (condition, seq) =
      switch place {
      case .upTo(let seq): ("chunk <= $3 ORDER BY chunk DESC LIMIT 1", seq)
      case .after(let seq): ("chunk > $3 ORDER BY chunk LIMIT 1", seq)
      }
    return try ask(
      "SELECT chunk, seqs FROM posting WHERE timeline = $1 AND key = $2 AND \(condition)",
      .int(row), .int(key), .int(seq)
    ).first.map { found in
      let chunk = found.int(0)
      return found.withBlob(1) { body(chunk, $0) }
    }
  }

  func eventIDs(_ names: Set<String>, of row: Int64) throws(StoreError) -> [Int64] {
    let digests = names.map { SHA256.hash(Array($0.utf8)) }
    return try ask(
      "SELECT id FROM event WHERE timeline = $1 AND digest = ANY ($2::bytea[])", .int(row),
      .blobs(digests)
    ).rows.map { $0.int(0) }
  }

  func withEntries<Value>(
    ofEvent id: Int64, chunk: Int64, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value? {
    try ask("SELECT entries FROM name WHERE event = $1 AND chunk = $2", .int(id), .int(chunk))
      .first.map { $0.withBlob(0, body) }
  }

  func levels(
    _ level: Int64, _ ordinals: ClosedRange<Int64>, of row: Int64
  ) throws(StoreError) -> [LevelRow] {
    try ask(
      """
      SELECT ordinal, first, last, t0, t1, summary FROM level
      WHERE timeline = $1 AND level = $2 AND ordinal BETWEEN $3 AND $4 ORDER BY ordinal
      """, .int(row), .int(level), .int(ordinals.lowerBound), .int(ordinals.upperBound)
    ).rows.map {
      LevelRow(
        ordinal: $0.int(0), first: $0.int(1), last: $0.int(2), times: ($0.int(3), $0.int(4)),
        summary: $0.blob(5))
    }
  }

  func forEachPosting(
    of row: Int64, _ body: (Int64, Int64, [UInt8]) -> Void
  ) throws(StoreError) {
    let found = try ask("SELECT key, chunk, seqs FROM posting WHERE timeline = $1", .int(row))
    for row in found.rows { body(row.int(0), row.int(1), row.blob(2)) }
  }

  func forEachName(
    of row: Int64, _ body: (Int64, IndexRows.Name) -> Void
  ) throws(StoreError) {
    let found = try ask(
      """
      SELECT n.chunk, n.count, e.name, n.entries FROM event e JOIN name n ON n.event = e.id
      WHERE e.timeline = $1
      """, .int(row))
    for row in found.rows {
      body(
        row.int(0),
        IndexRows.Name(name: row.text(2) ?? "", count: row.int(1), entries: row.blob(3)))
    }
  }
}
