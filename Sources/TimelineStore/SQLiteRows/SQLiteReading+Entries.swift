// Safe: SQLite keeps the lent bytes until the next step, which cannot happen inside the closure.

extension SQLiteReading {
  /// One query for all, each part of which reads one row in the table's order.
  func ends(of row: Int64) throws(StoreError) -> RowEnds {
    try asking { () throws(DatabaseError) in
      try database.first(
        """
        SELECT (SELECT first FROM tail WHERE timeline = ?1 ORDER BY last LIMIT 1),
          (SELECT last FROM tail WHERE timeline = ?1 ORDER BY last DESC LIMIT 1),
          (SELECT first FROM chunk WHERE timeline = ?1 ORDER BY last LIMIT 1),
          (SELECT last FROM chunk WHERE timeline = ?1 ORDER BY last DESC LIMIT 1),
          EXISTS (SELECT 1 FROM chunk WHERE timeline = ?1 AND indexed = 0)
        """, .int(row)
      ) { row in
        RowEnds(
          tail: (row.intOrNil(0), row.intOrNil(1)), chunks: (row.intOrNil(2), row.intOrNil(3)),
          hasUnindexed: row.int(4) != 0)
      } ?? RowEnds(tail: (nil, nil), chunks: (nil, nil), hasUnindexed: false)
    }
  }

  func entryCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in ["chunk", "tail"] {
      count += try integer(
        """
        SELECT sum(min(last, ?3) - max(first, ?2) + 1) FROM \(table)
        WHERE timeline = ?1 AND last >= ?2 AND first <= ?3
        """, .int(row), .int(seqs.lowerBound), .int(seqs.upperBound))
    }
    return count
  }

  func chunk(
    _ place: ChunkPlace, of row: Int64, unindexedOnly: Bool
  ) throws(StoreError) -> ChunkHead? {
    let sql =
      switch (place, unindexedOnly) {
      case (.endingFrom, false): Self.chunkFrom
      case (.endingBefore, false): Self.chunkBefore
      case (.endingFrom, true): Self.unindexedFrom
      case (.endingBefore, true): Self.unindexedBefore
      }
    return try asking { () throws(DatabaseError) in
      try database.first(sql, .int(row), .int(place.seq)) { ChunkHead($0) }
    }
  }

  func withChunk<Value>(
    _ place: ChunkPlace, of row: Int64,
    _ body: (ChunkHead, _ lending: ((UnsafeRawBufferPointer) -> Void) -> Void) -> Value
  ) throws(StoreError) -> Value? {
    let sql =
      switch place {
      case .endingFrom: Self.wholeChunkFrom
      case .endingBefore: Self.wholeChunkBefore
      }
    return try asking { () throws(DatabaseError) in
      try database.first(sql, .int(row), .int(place.seq)) { row in
        // SQLite reads the pages of a blob only when it is asked for.
        body(ChunkHead(row)) { use in row.withBlob(10) { use($0) } }
      }
    }
  }

  private static let columns = "id, ordinal, first, last, t0, t1, base, bytes, indexed, keyframes"
  private static let head = "SELECT \(columns) FROM chunk WHERE timeline = ? AND "
  private static let whole = "SELECT \(columns), lines FROM chunk WHERE timeline = ? AND "
  private static let from = "last >= ? ORDER BY last LIMIT 1"
  private static let before = "last < ? ORDER BY last DESC LIMIT 1"
  private static let chunkFrom = head + from
  private static let chunkBefore = head + before
  private static let unindexedFrom = head + "indexed = 0 AND " + from
  private static let unindexedBefore = head + "indexed = 0 AND " + before
  private static let wholeChunkFrom = whole + from
  private static let wholeChunkBefore = whole + before

  func chunkCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    try integer(
      "SELECT count(*) FROM chunk WHERE timeline = ? AND last BETWEEN ? AND ?", .int(row),
      .int(seqs.lowerBound), .int(seqs.upperBound))
  }

  func chunkSizes(of row: Int64) throws(StoreError) -> [ChunkSize] {
    try asking { () throws(DatabaseError) in
      var sizes: [ChunkSize] = []
      try database.forEach(
        """
        SELECT ordinal, first, length(lines), length(keyframes) FROM chunk WHERE timeline = ?
        ORDER BY last
        """, .int(row)
      ) { row in
        sizes.append(
          ChunkSize(
            ordinal: row.int(0), first: row.int(1), stored: row.int(2), hasKeyframes: row.int(3) > 0
          ))
      }
      return sizes
    }
  }

  func tail(
    _ place: TailPlace, of row: Int64, bytes: Int
  ) throws(StoreError) -> [TailPart] {
    let (sql, seq) =
      switch place {
      case .endingFrom(let seq): (Self.tailForward, seq)
      case .startingUpTo(let seq): (Self.tailBackward, seq)
      }
    return try asking { () throws(DatabaseError) in
      try database.withStatement(sql) { found throws(DatabaseError) in
        var parts: [TailPart] = []
        var size = 0
        try found.bind([.int(row), .int(seq)])
        while size < bytes, try found.step() {
          let part = TailPart(
            first: found.int(0), last: found.int(1), t: found.int(2), base: found.intOrNil(3),
            lines: found.blob(4))
          size += part.lines.count
          parts.append(part)
        }
        return parts
      }
    }
  }

  private static let tailRows = "SELECT first, last, t, base, lines FROM tail WHERE timeline = ? "
  private static let tailForward = tailRows + "AND last >= ? ORDER BY last"
  private static let tailBackward = tailRows + "AND first <= ? ORDER BY last DESC"

  func tailBytes(of row: Int64) throws(StoreError) -> Int64 {
    try integer("SELECT sum(length(lines)) FROM tail WHERE timeline = ?", .int(row))
  }
}

extension ChunkPlace {
  fileprivate var seq: Int64 {
    switch self {
    case .endingFrom(let seq), .endingBefore(let seq): seq
    }
  }
}

extension ChunkHead {
  fileprivate init(_ row: borrowing Statement) {
    self.init(
      id: row.int(0), ordinal: row.int(1), first: row.int(2), last: row.int(3),
      times: (row.int(4), row.int(5)), base: row.intOrNil(6), bytes: row.int(7),
      isIndexed: row.int(8) != 0, keyframes: row.blob(9))
  }
}
