import TimelineStore

// Safe: a result keeps its bytes until it is released, and lends them for the length of a call.

extension PostgresReading {
  func ends(of row: Int64) throws(StoreError) -> RowEnds {
    let found = try ask(
      """
      SELECT (SELECT first FROM tail WHERE timeline = $1 ORDER BY last LIMIT 1),
        (SELECT last FROM tail WHERE timeline = $1 ORDER BY last DESC LIMIT 1),
        (SELECT first FROM chunk WHERE timeline = $1 ORDER BY last LIMIT 1),
        (SELECT last FROM chunk WHERE timeline = $1 ORDER BY last DESC LIMIT 1),
        EXISTS (SELECT 1 FROM chunk WHERE timeline = $1 AND NOT indexed)
      """, .int(row)
    ).first
    return RowEnds(
      tail: (found?.intOrNil(0), found?.intOrNil(1)),
      chunks: (found?.intOrNil(2), found?.intOrNil(3)), hasUnindexed: found?.bool(4) == true)
  }

  func entryCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    try ask(
      """
      SELECT coalesce(sum(least(last, $3) - greatest(first, $2) + 1), 0)::bigint FROM (
        SELECT first, last FROM chunk WHERE timeline = $1 AND last >= $2 AND first <= $3
        UNION ALL SELECT first, last FROM tail WHERE timeline = $1 AND last >= $2 AND first <= $3
      ) x
      """, .int(row), .int(seqs.lowerBound), .int(seqs.upperBound)
    ).first?.int(0) ?? 0
  }

  func chunk(
    _ place: ChunkPlace, of row: Int64, unindexedOnly: Bool
  ) throws(StoreError) -> ChunkHead? {
    let sql =
      "SELECT \(Self.columns) FROM chunk WHERE timeline = $1 AND "
      + (unindexedOnly ? "NOT indexed AND " : "") + place.condition
    return try ask(sql, .int(row), .int(place.seq)).first.map { ChunkHead($0) }
  }

  /// Fetches the frame in any case: a second round trip would cost more.
  func withChunk<Value>(
    _ place: ChunkPlace, of row: Int64,
    _ body: (ChunkHead, _ lending: ((UnsafeRawBufferPointer) -> Void) -> Void) -> Value
  ) throws(StoreError) -> Value? {
    let sql = "SELECT \(Self.columns), lines FROM chunk WHERE timeline = $1 AND \(place.condition)"
    return try ask(sql, .int(row), .int(place.seq)).first.map { found in
      body(ChunkHead(found)) { use in found.withBlob(10) { use($0) } }
    }
  }

  private static let columns = "id, ordinal, first, last, t0, t1, base, bytes, indexed, keyframes"

  func chunkCount(of row: Int64, in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    try ask(
      "SELECT count(*) FROM chunk WHERE timeline = $1 AND last BETWEEN $2 AND $3", .int(row),
      .int(seqs.lowerBound), .int(seqs.upperBound)
    ).first?.int(0) ?? 0
  }

  func chunkSizes(of row: Int64) throws(StoreError) -> [ChunkSize] {
    try ask(
      """
      SELECT ordinal, first, octet_length(lines), octet_length(keyframes) FROM chunk
      WHERE timeline = $1 ORDER BY last
      """, .int(row)
    ).rows.map {
      ChunkSize(
        ordinal: $0.int(0), first: $0.int(1), stored: $0.int(2), hasKeyframes: $0.int(3) > 0)
    }
  }

  func tail(
    _ place: TailPlace, of row: Int64, bytes: Int
  ) throws(StoreError) -> [TailPart] {
    let (condition, order, seq) =
      switch place {
      case .endingFrom(let seq): ("last >= $2", "last", seq)
      case .startingUpTo(let seq): ("first <= $2", "last DESC", seq)
      }
    return try ask(
      """
      SELECT first, last, t, base, lines FROM (
        SELECT first, last, t, base, lines, sum(octet_length(lines))
          OVER (ORDER BY \(order) ROWS UNBOUNDED PRECEDING) - octet_length(lines) AS before
        FROM tail WHERE timeline = $1 AND \(condition)
      ) x WHERE before < $3 ORDER BY \(order)
      """, .int(row), .int(seq), .int(Int64(bytes))
    ).rows.map {
      TailPart(
        first: $0.int(0), last: $0.int(1), t: $0.int(2), base: $0.intOrNil(3), lines: $0.blob(4))
    }
  }

  func tailBytes(of row: Int64) throws(StoreError) -> Int64 {
    try ask(
      "SELECT coalesce(sum(octet_length(lines)), 0)::bigint FROM tail WHERE timeline = $1",
      .int(row)
    ).first?.int(0) ?? 0
  }
}

extension ChunkPlace {
  fileprivate var seq: Int64 {
    switch self {
    case .endingFrom(let seq), .endingBefore(let seq): seq
    }
  }

  fileprivate var condition: String {
    switch self {
    case .endingFrom: "last >= $2 ORDER BY last LIMIT 1"
    case .endingBefore: "last < $2 ORDER BY last DESC LIMIT 1"
    }
  }
}

extension ChunkHead {
  fileprivate init(_ row: PostgresRow) {
    self.init(
      id: row.int(0), ordinal: row.int(1), first: row.int(2), last: row.int(3),
      times: (row.int(4), row.int(5)), base: row.intOrNil(6), bytes: row.int(7),
      isIndexed: row.bool(8), keyframes: row.blob(9))
  }
}
