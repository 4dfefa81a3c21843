import Timelines

// Safe: SQLite keeps the lent bytes until the next step, which cannot happen inside the closure.

extension SQLiteReading {
  func indexVersion() throws(StoreError) -> Int64 {
    try integer("SELECT value FROM meta WHERE key = 'index'")
  }

  func unindexedChunks(limit: Int) throws(StoreError) -> [(id: TimelineID, first: Int64)] {
    try asking { () throws(DatabaseError) in
      let sql = """
        SELECT t.uuid, c.first FROM chunk c JOIN timeline t ON t.id = c.timeline
        WHERE c.indexed = 0 AND t.phase = 0 ORDER BY c.timeline, c.last
        """
      return try database.withStatement(sql) { row throws(DatabaseError) in
        var places: [(id: TimelineID, first: Int64)] = []
        while places.count < limit, try row.step() {
          guard let id = row.text(0).flatMap({ TimelineID($0) }) else { continue }
          places.append((id, row.int(1)))
        }
        return places
      }
    }
  }

  func indexedChunks(of row: Int64) throws(StoreError) -> Set<Int64> {
    try asking { () throws(DatabaseError) in
      var chunks: Set<Int64> = []
      try database.forEach(
        "SELECT first FROM chunk WHERE timeline = ? AND indexed = 1", .int(row)
      ) { row in chunks.insert(row.int(0)) }
      return chunks
    }
  }

  func withPosting<Value>(
    _ place: PostingPlace, of row: Int64, key: Int64,
    _ body: (Int64, UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value? {
    let (sql, seq) =
      switch place {
      case .upTo(let seq): (Self.postingUpTo, seq)
      case .after(let seq): (Self.postingAfter, seq)
      }
    return try asking { () throws(DatabaseError) in
      try database.first(sql, .int(row), .int(key), .int(seq)) { row in
        let chunk = row.int(0)
        return row.withBlob(1) { body(chunk, $0) }
      }
    }
  }

  private static let postingRows =
    "SELECT chunk, seqs FROM posting WHERE timeline = ? AND key = ? AND "
  private static let postingUpTo = postingRows + "chunk <= ? ORDER BY chunk DESC LIMIT 1"
  private static let postingAfter = postingRows + "chunk > ? ORDER BY chunk LIMIT 1"

  func eventIDs(_ names: Set<String>, of row: Int64) throws(StoreError) -> [Int64] {
    try asking { () throws(DatabaseError) in
      var ids: [Int64] = []
      for name in names {
        let id = try database.first(
          "SELECT id FROM event WHERE timeline = ? AND name = ?", .int(row), .text(name)
        ) { $0.int(0) }
        if let id { ids.append(id) }
      }
      return ids
    }
  }

  func withEntries<Value>(
    ofEvent id: Int64, chunk: Int64, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(StoreError) -> Value? {
    try asking { () throws(DatabaseError) in
      try database.first(
        "SELECT entries FROM name WHERE event = ? AND chunk = ?", .int(id), .int(chunk)
      ) { row in row.withBlob(0) { body($0) } }
    }
  }

  func levels(
    _ level: Int64, _ ordinals: ClosedRange<Int64>, of row: Int64
  ) throws(StoreError) -> [LevelRow] {
    try asking { () throws(DatabaseError) in
      var found: [LevelRow] = []
      try database.forEach(
        """
        SELECT ordinal, first, last, t0, t1, summary FROM level
        WHERE timeline = ? AND level = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal
        """, .int(row), .int(level), .int(ordinals.lowerBound), .int(ordinals.upperBound)
      ) { row in
        found.append(
          LevelRow(
            ordinal: row.int(0), first: row.int(1), last: row.int(2),
            times: (row.int(3), row.int(4)), summary: row.blob(5)))
      }
      return found
    }
  }

  func forEachPosting(
    of row: Int64, _ body: (Int64, Int64, [UInt8]) -> Void
  ) throws(StoreError) {
    try asking { () throws(DatabaseError) in
      try database.forEach(
        "SELECT key, chunk, seqs FROM posting WHERE timeline = ?", .int(row)
      ) { body($0.int(0), $0.int(1), $0.blob(2)) }
    }
  }

  func forEachName(
    of row: Int64, _ body: (Int64, IndexRows.Name) -> Void
  ) throws(StoreError) {
    try asking { () throws(DatabaseError) in
      try database.forEach(
        """
        SELECT e.name, n.chunk, n.count, n.entries FROM event e JOIN name n ON n.event = e.id
        WHERE e.timeline = ?
        """, .int(row)
      ) { row in
        body(
          row.int(1),
          IndexRows.Name(name: row.text(0) ?? "", count: row.int(2), entries: row.blob(3)))
      }
    }
  }
}
