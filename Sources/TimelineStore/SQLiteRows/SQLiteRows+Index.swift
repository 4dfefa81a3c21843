extension SQLiteRows {
  /// Stores the postings and names of a chunk.
  func insert(_ index: IndexRows, of row: Int64, chunk: Int64) throws(DatabaseError) {
    for posting in index.postings {
      try database.execute(
        "INSERT OR REPLACE INTO posting (timeline, key, chunk, seqs) VALUES (?, ?, ?, ?)",
        .int(row), .int(posting.key), .int(chunk), .blob(posting.seqs))
    }
    for name in index.names {
      try database.execute(
        "INSERT OR REPLACE INTO name (event, chunk, count, entries) VALUES (?, ?, ?, ?)",
        .int(try eventID(name.name, of: row)), .int(chunk), .int(name.count),
        .blob(name.entries))
    }
  }

  /// Stores a chunk's summary, and those of the longer stretches that it completes.
  func addLevels(_ chunk: ChunkRow, _ summary: [UInt8]) throws(DatabaseError) {
    try addLevels(
      LevelRow(
        row: chunk.row, level: 0, ordinal: chunk.ordinal, seqs: chunk.seqs, times: chunk.times,
        summary: summary))
  }

  /// Adds the index of a chunk that has none.
  func insertLater(_ index: IndexRows, of row: Int64, chunk: Int64) throws(DatabaseError) {
    let found = try database.first(
      "SELECT ordinal, last, t0, t1, id FROM chunk WHERE timeline = ? AND first = ? AND last >= ?",
      .int(row), .int(chunk), .int(chunk)
    ) { found in
      (
        level: LevelRow(
          row: row, level: 0, ordinal: found.int(0), seqs: chunk...max(chunk, found.int(1)),
          times: found.int(2)...max(found.int(2), found.int(3)), summary: index.summary),
        id: found.int(4)
      )
    }
    guard let found else { return }
    try insert(index, of: row, chunk: chunk)
    try addLevels(found.level)
    try database.execute("UPDATE chunk SET indexed = 1 WHERE id = ?", .int(found.id))
  }

  private struct LevelRow {
    var row: Int64
    var level: Int64
    var ordinal: Int64
    var seqs: ClosedRange<Int64>
    var times: ClosedRange<Int64>
    var summary: [UInt8]
  }

  private func addLevels(_ lowest: LevelRow) throws(DatabaseError) {
    var added = lowest
    while true {
      try database.execute(
        """
        INSERT OR REPLACE INTO level (timeline, level, ordinal, first, last, t0, t1, summary)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .int(added.row), .int(added.level), .int(added.ordinal), .int(added.seqs.lowerBound),
        .int(added.seqs.upperBound), .int(added.times.lowerBound), .int(added.times.upperBound),
        .blob(added.summary))
      // The pyramid is 16-ary: the row that completes a group adds the group's row.
      let group = try parts(of: added)
      guard group.count == 16, let first = group.first, let last = group.last else { return }
      added = LevelRow(
        row: added.row, level: added.level + 1, ordinal: added.ordinal >> 4,
        seqs: first.seqs.lowerBound...last.seqs.upperBound,
        times: first.times.lowerBound...last.times.upperBound,
        summary: indexer.summary(of: group.map(\.summary)))
    }
  }

  /// The rows of the group that a row belongs to, if the row may complete it.
  private func parts(of row: LevelRow) throws(DatabaseError) -> [LevelRow] {
    var parts: [LevelRow] = []
    let start = row.ordinal & ~15
    try database.forEach(
      """
      SELECT ordinal, first, last, t0, t1, summary FROM level
      WHERE timeline = ? AND level = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal
      """, .int(row.row), .int(row.level), .int(start), .int(start + 15)
    ) { found in
      parts.append(
        LevelRow(
          row: row.row, level: row.level, ordinal: found.int(0),
          seqs: found.int(1)...max(found.int(1), found.int(2)),
          times: found.int(3)...max(found.int(3), found.int(4)), summary: found.blob(5)))
    }
    return parts
  }

  /// Rewrites a chunk without its start, and removes everything before it.
  ///
  /// Does nothing if the chunk no longer exists, such as after another cut, or if there is a new
  /// branch that reads the removed entries.
  func cutHead(
    _ chunk: ChunkRow, _ index: IndexRows, replacing old: Int64
  ) throws(DatabaseError) {
    let row = chunk.row
    let first = chunk.seqs.lowerBound
    let isThere = try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM chunk WHERE timeline = ?1 AND first = ?2 AND last = ?3)
        AND NOT EXISTS (SELECT 1 FROM timeline WHERE parent = ?1 AND phase <> 2)
      """, .int(row), .int(old), .int(chunk.seqs.upperBound))
    guard isThere != 0 else { return }
    // `old` is the first seq that the chunk had; everything up to its end is removed.
    let gone = try database.first(
      """
      SELECT count(*), sum(last - first + 1), sum(bytes), sum(length(lines)) FROM chunk
      WHERE timeline = ? AND first <= ?
      """, .int(row), .int(old)
    ) { (entries: $0.int(1), bytes: $0.int(2), stored: $0.int(3)) }
    try database.execute(
      "DELETE FROM chunk WHERE timeline = ? AND first <= ?", .int(row), .int(old))
    try database.execute(
      "DELETE FROM posting WHERE timeline = ? AND chunk <= ?", .int(row), .int(old))
    try database.execute(
      "DELETE FROM name WHERE event IN (SELECT id FROM event WHERE timeline = ?) AND chunk <= ?",
      .int(row), .int(old))
    // A longer stretch that starts before the cut counts removed entries.
    try database.execute(
      "DELETE FROM level WHERE timeline = ? AND first <= ?", .int(row), .int(old))
    try database.execute("DELETE FROM mark WHERE timeline = ? AND seq < ?", .int(row), .int(first))
    try insertChunk(chunk)
    try insert(index, of: row, chunk: first)
    try addLevels(chunk, index.summary)
    try database.execute(
      """
      UPDATE timeline SET first = ?, entries = entries - ? + ?, bytes = bytes - ? + ?,
        stored = stored - ? + ? WHERE id = ?
      """,
      .int(first), .int(gone?.entries ?? 0), .int(Int64(chunk.seqs.count)),
      .int(gone?.bytes ?? 0), .int(Int64(chunk.bytes)), .int(gone?.stored ?? 0),
      .int(Int64(chunk.packed.count)), .int(row))
  }
}
