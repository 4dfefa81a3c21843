import Timelines

/// An SQLite database in a file.
struct SQLiteSource: RowSource {
  let path: String
  let disk: any StoreDisk

  func openWriting(indexer: any ChunkIndexer) throws(StoreError) -> any RowWriting {
    try SQLiteRows(path: path, on: disk, indexer: indexer)
  }

  func openReading() throws(StoreError) -> any RowReading {
    try open(.reading, checking: "SELECT count(*) FROM sqlite_schema")
  }

  /// A log would hold what the file does not.
  func isReadableFrozen(after error: StoreError) -> Bool {
    guard case .database(let fault) = error.reason, fault.isOfWriting else { return false }
    do {
      return (try disk.status(of: path + "-wal")?.size ?? 0) == 0
    } catch {
      return false
    }
  }

  func openFrozen() throws(StoreError) -> any RowReading { try open(.frozen, checking: nil) }

  func leavesReading(after error: StoreError) -> Bool {
    error.leavesReading(path, disk)
  }

  /// Only a query shows whether the log can be had.
  private func open(
    _ access: Database.Access, checking query: String?
  ) throws(StoreError) -> any RowReading {
    do {
      let database = try Database(path: path, access: access, on: disk)
      if let query { try database.execute(query) }
      return SQLiteReading(database)
    } catch {
      throw StoreError(error)
    }
  }
}

/// An SQLite database that is written by other means, for tests and for looking without writing.
struct OtherWriting: RowSource {
  let reading: SQLiteSource
  let writing: @Sendable () throws(StoreError) -> any RowWriting

  func openWriting(indexer: any ChunkIndexer) throws(StoreError) -> any RowWriting {
    try writing()
  }

  func openReading() throws(StoreError) -> any RowReading { try reading.openReading() }

  func isReadableFrozen(after error: StoreError) -> Bool {
    reading.isReadableFrozen(after: error)
  }

  func openFrozen() throws(StoreError) -> any RowReading { try reading.openFrozen() }

  func leavesReading(after error: StoreError) -> Bool { reading.leavesReading(after: error) }
}
