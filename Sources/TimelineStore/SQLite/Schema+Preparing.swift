extension Schema {
  /// Sets a connection up, makes the tables that are missing, and refuses a newer format.
  static func prepare(_ database: Database, indexVersion: Int64) throws(StoreError) {
    do {
      let format = Int(try database.integer("PRAGMA user_version"))
      guard format <= current else { throw StoreError(.newer(format: format, known: current)) }
      if format == 0 {
        // Both only before the first table is made. A chunk fills its last page by half, so that
        // small pages waste less: 6 to 8 % of the chunks with 2 KiB, 12 to 20 % with 4 KiB.
        try database.execute("PRAGMA page_size = 2048")
        // Pages that become free can be given back.
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
      }
      try database.execute("PRAGMA journal_mode = WAL")
      // What was acknowledged survives a loss of power.
      try database.execute("PRAGMA synchronous = FULL")
      // No `wal_autocheckpoint`, not even 0: it would take the hook away by which the connection
      // counts the log. The hook itself keeps SQLite from moving the log inside a commit.
      // Room for the pages of the index at which postings of some hundred paths grow.
      try database.execute("PRAGMA cache_size = -4096")
      try database.execute("PRAGMA journal_size_limit = 67108864")
      // Deleted pages are cleared where that costs no further writing.
      try database.execute("PRAGMA secure_delete = FAST")
      try migrate(database, from: format)
      try matchIndex(database, version: indexVersion)
      // What was being imported when the last process ended is incomplete.
      try database.execute("UPDATE timeline SET phase = 2, uuid = NULL WHERE phase = 1")
    } catch let error as DatabaseError {
      throw StoreError(error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.damaged("\(error)"))
    }
  }

  /// The format that the head of a database file says; `nil` when it is none.
  ///
  /// For a file that SQLite cannot open at the moment: `PRAGMA user_version` stands there as four
  /// bytes, the highest first.
  static func format(of path: String, _ disk: any StoreDisk) -> Int? {
    guard let head = try? disk.read(path, upTo: 100), head.count == 100,
      head.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    return head[60..<64].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func migrate(_ database: Database, from format: Int) throws(DatabaseError) {
    for next in format..<max(format, current) {
      try database.transaction { () throws(DatabaseError) in
        for statement in migrations[next] { try database.execute(statement) }
        try database.execute("PRAGMA user_version = \(next + 1)")
      }
    }
  }

  /// Lets go of an index of another version; it is made anew, chunk by chunk.
  private static func matchIndex(_ database: Database, version: Int64) throws(DatabaseError) {
    let found = try database.first(
      "SELECT value FROM meta WHERE key = 'index'", row: { $0.int(0) })
    guard found != version else { return }
    try database.transaction { () throws(DatabaseError) in
      if found != nil { try removeIndex(database) }
      try database.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('index', ?)", .int(version))
    }
  }

  /// Removes the whole index.
  static func removeIndex(_ database: Database) throws(DatabaseError) {
    for table in ["posting", "name", "level", "event"] {
      try database.execute("DELETE FROM \(table)")
    }
    try database.execute("UPDATE chunk SET indexed = 0")
  }
}
