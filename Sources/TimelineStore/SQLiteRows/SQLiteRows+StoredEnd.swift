import Timelines

extension SQLiteRows {
  func lastRow() throws(StoreError) -> Int64 {
    do {
      return try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'timeline'")
    } catch {
      throw StoreError(error)
    }
  }

  func usedBytes() throws(StoreError) -> Int64 {
    do {
      return try database.usedBytes()
    } catch {
      throw StoreError(error)
    }
  }

  func hasBranch(of row: Int64) throws(StoreError) -> Bool {
    do {
      return try database.integer(
        "SELECT count(*) FROM timeline WHERE parent = ? AND phase <> 2", .int(row)) > 0
    } catch {
      throw StoreError(error)
    }
  }

  func syncLog() throws(StoreError) {
    do {
      _ = try database.checkpoint(truncating: true)
    } catch {
      throw StoreError(error)
    }
  }

  func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd? {
    do {
      guard var stored = try sealed(of: id) else {
        let isGone = try database.integer(
          "SELECT count(*) FROM gone WHERE uuid = ?", .text(id.text))
        guard isGone > 0 else { return nil }
        return .gone
      }
      try database.forEach(
        """
        SELECT first, last, t, base, newest, known, lines FROM tail WHERE timeline = ?
        ORDER BY last
        """, .int(stored.row)
      ) { row in
        stored.add(
          TailPart(
            first: row.int(0), last: row.int(1), t: row.int(2), base: row.intOrNil(3),
            lines: row.blob(6)),
          newest: row.intOrNil(4), isKnown: row.int(5) != 0)
      }
      return stored
    } catch {
      throw StoreError(error)
    }
  }

  private func sealed(of id: TimelineID) throws(DatabaseError) -> StoredEnd? {
    try database.first(
      """
      SELECT id, header, last, t, newest, known, chunks, closed, start, phase FROM timeline
      WHERE uuid = ? AND phase < 2
      """, .text(id.text)
    ) { row in
      let start = row.intOrNil(8)
      return StoredEnd(
        row: row.int(0), header: row.blob(1),
        last: row.intOrNil(2) ?? start.flatMap { $0 > 0 ? $0 - 1 : nil }, t: row.int(3),
        newest: row.intOrNil(4), isKnown: row.int(5) != 0, chunks: row.int(6),
        isClosed: row.int(7) != 0, isImporting: row.int(9) == 1)
    }
  }
}
