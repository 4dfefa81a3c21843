extension SQLiteRows {
  /// Moves the log into the database if it has grown, and removes some rows of deleted timelines.
  func performMaintenance() throws(StoreError) -> Bool {
    do {
      let isSweeping = try sweep()
      if database.logLength >= Self.logPages { _ = try database.checkpoint() }
      if isSweeping { return true }
      // Free pages are returned some at a time: a MiB takes a few milliseconds. Some are kept for
      // new entries.
      guard try database.integer("PRAGMA freelist_count") > 4_096 else { return false }
      try database.execute("PRAGMA incremental_vacuum(512)")
      return true
    } catch {
      throw StoreError(error)
    }
  }

  /// The number of pages at which the log is moved into the database: 4 MiB, SQLite's own default.
  private static let logPages = 2_000

  /// Removes some rows of a deleted timeline; returns whether there may be more.
  private func sweep() throws(DatabaseError) -> Bool {
    let next = try database.first(
      "SELECT id FROM timeline WHERE phase = 2 LIMIT 1", row: { $0.int(0) })
    guard let row = next else { return false }
    // Few enough to delay an append by only some milliseconds.
    let steps = [
      "DELETE FROM tail WHERE id IN (SELECT id FROM tail WHERE timeline = ?1 LIMIT 256)",
      "DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE timeline = ?1 LIMIT 256)",
      """
      DELETE FROM posting WHERE (timeline, key, chunk) IN (
        SELECT timeline, key, chunk FROM posting WHERE timeline = ?1 LIMIT 2048)
      """,
      """
      DELETE FROM name WHERE (event, chunk) IN (
        SELECT event, chunk FROM name
        WHERE event IN (SELECT id FROM event WHERE timeline = ?1) LIMIT 2048)
      """,
      """
      DELETE FROM level WHERE (timeline, level, ordinal) IN (
        SELECT timeline, level, ordinal FROM level WHERE timeline = ?1 LIMIT 2048)
      """,
      "DELETE FROM event WHERE id IN (SELECT id FROM event WHERE timeline = ?1 LIMIT 2048)",
      "DELETE FROM timeline WHERE id = ?1",
    ]
    try database.transaction { () throws(DatabaseError) in
      for step in steps {
        try database.execute(step, .int(row))
        if database.changes > 0 { return }
      }
    }
    return true
  }
}
