import TimelineStore
import Timelines

extension PostgresRows {
  func lastRow() throws(StoreError) -> Int64 {
    try connection.run("SELECT value FROM meta WHERE key = 'row'").first?.int(0) ?? 0
  }

  func usedBytes() throws(StoreError) -> Int64 { try reading.usedBytes() }

  func hasBranch(of row: Int64) throws(StoreError) -> Bool {
    try connection.run(
      "SELECT EXISTS (SELECT 1 FROM timeline WHERE parent = $1 AND phase <> 2)", .int(row)
    ).first?.bool(0) ?? false
  }

  /// The server syncs its own log, and recovers from it.
  func syncLog() throws(StoreError) {}

  func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd? {
    // One statement sees one moment: the end, its epoch, and the tail belong together.
    let rows = try connection.run(
      """
      SELECT t.id, t.header, t.last, t.t, t.newest, t.known, t.chunks, t.closed, t.start,
        t.phase = 1, t.epoch, x.first, x.last, x.t, x.base, x.newest, x.known, x.lines
      FROM timeline t LEFT JOIN tail x ON x.timeline = t.id
      WHERE t.uuid = $1 AND t.phase < 2 ORDER BY x.last
      """, .text(id.text)
    ).rows
    guard let head = rows.first else {
      let isGone = try connection.run("SELECT 1 FROM gone WHERE uuid = $1", .text(id.text))
      return isGone.count > 0 ? .gone : nil
    }
    let start = head.intOrNil(8)
    var end = StoredEnd(
      row: head.int(0), header: head.blob(1),
      last: head.intOrNil(2) ?? start.flatMap { $0 > 0 ? $0 - 1 : nil }, t: head.int(3),
      newest: head.intOrNil(4), isKnown: head.bool(5), chunks: head.int(6),
      isClosed: head.bool(7), isImporting: head.bool(9))
    remember(epoch: head.int(10), of: end.row)
    for row in rows {
      guard let first = row.intOrNil(11) else { continue }
      end.add(
        TailPart(
          first: first, last: row.int(12), t: row.int(13), base: row.intOrNil(14),
          lines: row.blob(17)),
        newest: row.intOrNil(15), isKnown: row.bool(16))
    }
    return end
  }

  /// Removes some rows of a deleted timeline; returns whether there may be more.
  func performMaintenance() throws(StoreError) -> Bool {
    let next = try connection.run("SELECT id FROM timeline WHERE phase = 2 LIMIT 1").first?.int(0)
    guard let row = next else { return false }
    for step in Self.sweepSteps {
      // Each is a transaction of its own, and few enough to delay an append by milliseconds.
      if try runWithProof(step, .int(row)).changes > 0 { return true }
    }
    return true
  }

  private static let sweepSteps = [
    """
    DELETE FROM tail WHERE timeline = $1 AND last IN (
      SELECT last FROM tail WHERE timeline = $1 LIMIT 256)
    """,
    """
    DELETE FROM chunk WHERE timeline = $1 AND last IN (
      SELECT last FROM chunk WHERE timeline = $1 LIMIT 256)
    """,
    """
    DELETE FROM posting WHERE timeline = $1 AND (key, chunk) IN (
      SELECT key, chunk FROM posting WHERE timeline = $1 LIMIT 2048)
    """,
    """
    DELETE FROM name WHERE (event, chunk) IN (
      SELECT event, chunk FROM name WHERE timeline = $1 LIMIT 2048)
    """,
    """
    DELETE FROM level WHERE timeline = $1 AND (level, ordinal) IN (
      SELECT level, ordinal FROM level WHERE timeline = $1 LIMIT 2048)
    """,
    """
    DELETE FROM event WHERE timeline = $1 AND digest IN (
      SELECT digest FROM event WHERE timeline = $1 LIMIT 2048)
    """,
    "DELETE FROM timeline WHERE id = $1 AND phase = 2",
  ]
}
