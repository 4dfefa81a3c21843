import Timelines

/// Reads the rows of an SQLite database.
final class SQLiteReading: RowReading {
  let database: Database

  init(_ database: Database) {
    self.database = database
  }

  func beginMoment() throws(StoreError) {
    try asking { () throws(DatabaseError) in try database.execute("BEGIN") }
  }

  func endMoment() {
    try? database.execute("COMMIT")
  }

  /// Queries the database, and converts its errors to store errors.
  func asking<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }

  /// An integer; 0 if there is no row.
  func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64 {
    try asking { () throws(DatabaseError) in
      try database.withStatement(sql) { row throws(DatabaseError) in
        try row.bind(values)
        return try row.step() ? row.int(0) : 0
      }
    }
  }

  func usedBytes() throws(StoreError) -> Int64 {
    try asking { () throws(DatabaseError) in try database.usedBytes() }
  }

  func integrityFaults() throws(StoreError) -> [String] {
    try asking { () throws(DatabaseError) in
      var faults: [String] = []
      do throws(DatabaseError) {
        try database.forEach("PRAGMA integrity_check(20)") { row in
          if let text = row.text(0), text != "ok" { faults.append(text) }
        }
      } catch {
        guard error.isDamage else { throw error }
        faults.append("\(error)")
      }
      return faults
    }
  }
}
