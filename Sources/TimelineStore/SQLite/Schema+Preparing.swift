extension Schema {
  /// Configures a connection, creates missing tables, and refuses a newer format.
  static func prepare(_ database: Database, indexVersion: Int64) throws(StoreError) {
    do {
      let format = Int(try database.integer("PRAGMA user_version"))
      guard format <= current else { throw StoreError(.newer(format: format, known: current)) }
      if format == 0 {
        // Both must come before the first table. A chunk fills half of its last page, so small
        // pages waste less: 6 to 8 % of the chunks with 2 KiB, 12 to 20 % with 4 KiB.
        try database.execute("PRAGMA page_size = 2048")
        // Allows returning free pages to the file system.
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
      }
      try database.execute("PRAGMA journal_mode = WAL")
      // Acknowledged entries survive a power loss.
      try database.execute("PRAGMA synchronous = FULL")
      // Never set `wal_autocheckpoint`, not even to 0: that would remove the hook by which the
      // connection counts the log. The hook itself keeps SQLite from moving the log inside a
      // commit.
      // Room for the index pages of postings of some hundred paths.
      try database.execute("PRAGMA cache_size = -4096")
      try database.execute("PRAGMA journal_size_limit = 67108864")
      // Clears deleted pages if that needs no extra write.
      try database.execute("PRAGMA secure_delete = FAST")
      try migrate(database, from: format)
      try matchIndex(database, version: indexVersion)
      // An import is incomplete if the process that ran it ended.
      try database.execute("UPDATE timeline SET phase = 2, uuid = NULL WHERE phase = 1")
    } catch let error as DatabaseError {
      throw StoreError(error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.damaged("\(error)"))
    }
  }

  /// The format in the header of a database file; `nil` if it is not one.
  ///
  /// For a file that SQLite cannot open at the moment: `PRAGMA user_version` is stored there as
  /// four bytes, the highest first.
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

  /// Removes an index of another version; it is rebuilt chunk by chunk.
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

  static func removeIndex(_ database: Database) throws(DatabaseError) {
    for table in ["posting", "name", "level", "event"] {
      try database.execute("DELETE FROM \(table)")
    }
    try database.execute("UPDATE chunk SET indexed = 0")
  }
}
