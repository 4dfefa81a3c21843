import TimelineStore
import Timelines

/// A row of the pyramid of counts, with its place.
struct PostgresLevel {
  var row: Int64
  var level: Int64
  var ordinal: Int64
  var seqs: ClosedRange<Int64>
  var times: ClosedRange<Int64>
  var summary: [UInt8]

  /// Whether it is the last one of its group by its ordinal.
  var endsGroup: Bool { ordinal & 15 == 15 }
}

extension IndexRows {
  /// The approximate size of the rows. PostgreSQL reports sizes of whole tables only, and these do
  /// not shrink when rows are deleted.
  var storedBytes: Int64 {
    let overhead = 48
    return Int64(
      postings.reduce(0) { $0 + $1.seqs.count + overhead }
        + names.reduce(0) { $0 + $1.entries.count + overhead } + summary.count + overhead)
  }
}

extension PostgresRows {
  /// Stores the postings and names of a chunk, with one statement for all rows of a table.
  func insert(_ index: IndexRows, of row: Int64, chunk: Int64) {
    if !index.postings.isEmpty {
      add(
        """
        INSERT INTO posting (timeline, key, chunk, seqs)
        SELECT $1, p.key, $2, p.seqs FROM unnest($3::bigint[], $4::bytea[]) AS p (key, seqs)
        ON CONFLICT (timeline, key, chunk) DO UPDATE SET seqs = excluded.seqs
        """,
        .int(row), .int(chunk), .ints(index.postings.map(\.key)),
        .blobs(index.postings.map(\.seqs)))
    }
    guard !index.names.isEmpty else { return }
    let names = index.names.map { Array($0.name.utf8) }
    let digests = names.map { SHA256.hash($0) }
    add(
      """
      INSERT INTO event (timeline, digest, name)
      SELECT $1, e.digest, e.name FROM unnest($2::bytea[], $3::bytea[]) AS e (digest, name)
      ON CONFLICT (timeline, digest) DO NOTHING
      """, .int(row), .blobs(digests), .blobs(names))
    add(
      """
      INSERT INTO name (event, chunk, timeline, count, entries)
      SELECT e.id, $2, $1, n.count, n.entries
      FROM unnest($3::bytea[], $4::bigint[], $5::bytea[]) AS n (digest, count, entries)
      JOIN event e ON e.timeline = $1 AND e.digest = n.digest
      ON CONFLICT (event, chunk) DO UPDATE SET count = excluded.count, entries = excluded.entries
      """,
      .int(row), .int(chunk), .blobs(digests), .ints(index.names.map(\.count)),
      .blobs(index.names.map(\.entries)))
  }

  /// Adds the index of a chunk that has none.
  func insertLater(_ index: IndexRows, of row: Int64, chunk: Int64) throws(StoreError) {
    let found = try query(
      """
      UPDATE chunk SET indexed = true
      WHERE timeline = $1 AND last = (
        SELECT last FROM chunk WHERE timeline = $1 AND first = $2 AND last >= $2 LIMIT 1
      ) RETURNING ordinal, last, t0, t1
      """, .int(row), .int(chunk)
    ).first
    guard let found else { return }
    add(
      "UPDATE timeline SET indexed = indexed + $2 WHERE id = $1", .int(row),
      .int(index.storedBytes))
    insert(index, of: row, chunk: chunk)
    addLevel(
      PostgresLevel(
        row: row, level: 0, ordinal: found.int(0), seqs: chunk...max(chunk, found.int(1)),
        times: found.int(2)...max(found.int(2), found.int(3)), summary: index.summary),
      mayCompleteGroup: true)
  }

  /// Stores a row of the pyramid.
  ///
  /// - Parameter mayCompleteGroup: whether it may complete a group although it is not at its end.
  func addLevel(_ level: PostgresLevel, mayCompleteGroup: Bool = false) {
    add(
      """
      INSERT INTO level (timeline, level, ordinal, first, last, t0, t1, summary)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (timeline, level, ordinal) DO UPDATE SET first = excluded.first,
        last = excluded.last, t0 = excluded.t0, t1 = excluded.t1, summary = excluded.summary
      """,
      .int(level.row), .int(level.level), .int(level.ordinal), .int(level.seqs.lowerBound),
      .int(level.seqs.upperBound), .int(level.times.lowerBound), .int(level.times.upperBound),
      .bytes(level.summary))
    if level.endsGroup || mayCompleteGroup { addedLevels.append(level) }
  }

  /// Adds the rows of longer stretches, where all sixteen parts of one are there.
  func completeLevels() throws(StoreError) {
    while let added = addedLevels.popLast() {
      let group = try parts(of: added)
      guard group.count == 16, let first = group.first, let last = group.last,
        first.seqs.lowerBound <= last.seqs.upperBound,
        first.times.lowerBound <= last.times.upperBound
      else { continue }
      addLevel(
        PostgresLevel(
          row: added.row, level: added.level + 1, ordinal: added.ordinal >> 4,
          seqs: first.seqs.lowerBound...last.seqs.upperBound,
          times: first.times.lowerBound...last.times.upperBound,
          summary: indexer.summary(of: group.map(\.summary))),
        mayCompleteGroup: true)
    }
  }

  /// The rows of the group that a row belongs to.
  private func parts(of level: PostgresLevel) throws(StoreError) -> [PostgresLevel] {
    let start = level.ordinal & ~15
    return try query(
      """
      SELECT ordinal, first, last, t0, t1, summary FROM level
      WHERE timeline = $1 AND level = $2 AND ordinal BETWEEN $3 AND $4 ORDER BY ordinal
      """, .int(level.row), .int(level.level), .int(start), .int(start + 15)
    ).rows.map { found in
      PostgresLevel(
        row: level.row, level: level.level, ordinal: found.int(0),
        seqs: found.int(1)...max(found.int(1), found.int(2)),
        times: found.int(3)...max(found.int(3), found.int(4)), summary: found.blob(5))
    }
  }

  /// Rewrites a chunk without its start, and removes everything before it.
  ///
  /// Does nothing if the chunk no longer exists, such as after another cut, or if there is a new
  /// branch that reads the removed entries.
  func cutHead(
    _ chunk: ChunkRow, _ index: IndexRows, replacing old: Int64
  ) throws(StoreError) {
    let row = chunk.row
    let first = chunk.seqs.lowerBound
    let epoch = try epoch(of: row)
    let isThere = try query(
      """
      SELECT EXISTS (SELECT 1 FROM chunk WHERE timeline = $1 AND first = $2 AND last = $3)
        AND NOT EXISTS (SELECT 1 FROM timeline WHERE parent = $1 AND phase <> 2)
      """, .int(row), .int(old), .int(chunk.seqs.upperBound)
    ).first?.bool(0)
    guard isThere == true else { return }
    // `old` is the first seq that the chunk had; everything up to its end is removed.
    let gone = try query(
      """
      SELECT sum(last - first + 1)::bigint, sum(bytes)::bigint,
        sum(octet_length(lines))::bigint
      FROM chunk WHERE timeline = $1 AND first <= $2
      """, .int(row), .int(old)
    ).first
    for table in ["chunk", "level"] {
      // A longer stretch that starts before the cut counts removed entries.
      add("DELETE FROM \(table) WHERE timeline = $1 AND first <= $2", .int(row), .int(old))
    }
    for table in ["posting", "name"] {
      add("DELETE FROM \(table) WHERE timeline = $1 AND chunk <= $2", .int(row), .int(old))
    }
    add("DELETE FROM mark WHERE timeline = $1 AND seq < $2", .int(row), .int(first))
    insertChunk(chunk)
    insert(index, of: row, chunk: first)
    addLevel(
      PostgresLevel(
        row: row, level: 0, ordinal: chunk.ordinal, seqs: chunk.seqs, times: chunk.times,
        summary: index.summary), mayCompleteGroup: true)
    // The index shrinks about as the entries do.
    add(
      """
      UPDATE timeline SET first = $3, entries = entries - $4 + $5, bytes = bytes - $6 + $7,
        stored = stored - $8 + $9,
        indexed = (indexed * ((stored - $8 + $9)::float8 / greatest(stored, 1)))::bigint
      WHERE id = $1 AND epoch = $2
      """,
      .int(row), .int(epoch), .int(first), .int(gone?.int(0) ?? 0), .int(Int64(chunk.seqs.count)),
      .int(gone?.int(1) ?? 0), .int(Int64(chunk.bytes)), .int(gone?.int(2) ?? 0),
      .int(Int64(chunk.packed.count)), expected: 1)
  }
}
