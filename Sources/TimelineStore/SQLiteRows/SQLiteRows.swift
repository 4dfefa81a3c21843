import JSONCore
import Timelines
import Wire

/// Writes the rows to an SQLite database, for the one writing thread.
///
/// Only this connection writes and moves the log into the database.
final class SQLiteRows: RowWriting {
  let database: Database
  let indexer: any ChunkIndexer

  /// A cache of the ids of event names, by timeline.
  private var events: [Int64: [String: Int64]] = [:]

  /// Opens the database in a file and migrates it to this build's format.
  init(
    path: String, on disk: any StoreDisk = SystemDisk(), indexer: any ChunkIndexer
  ) throws(StoreError) {
    self.indexer = indexer
    do {
      database = try Database(path: path, access: .full, on: disk)
    } catch {
      throw StoreError(error)
    }
    try Schema.prepare(database, indexVersion: indexer.version)
  }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    do {
      try database.transaction { () throws(DatabaseError) in
        for change in changes { try apply(change) }
      }
    } catch {
      events = [:]
      throw StoreError(error)
    }
  }

  private func apply(_ change: RowChange) throws(DatabaseError) {
    switch change {
    case .begin(let timeline): try begin(timeline)
    case .header(let row, let header):
      try database.execute(
        "UPDATE timeline SET header = ? WHERE id = ?", .blob(Array(header.line.bytes)), .int(row))
    case .append(let tail): try append(tail)
    case .seal(let chunk, let index):
      try database.execute(
        "DELETE FROM tail WHERE timeline = ? AND last BETWEEN ? AND ?", .int(chunk.row),
        .int(chunk.seqs.lowerBound), .int(chunk.seqs.upperBound))
      try insertChunk(chunk)
      try count(chunk)
      try insert(index, of: chunk.row, chunk: chunk.seqs.lowerBound)
      try addLevels(chunk, index.summary)
    case .index(let row, let chunk, let index): try insertLater(index, of: row, chunk: chunk)
    case .close(let row, let isClosed, let lost):
      try database.execute(
        """
        UPDATE timeline SET closed = ?, lost = ?, why = ?,
          touched = max(touched, CAST(strftime('%s', 'now') AS INTEGER) * 1000000)
        WHERE id = ?
        """, .bool(isClosed), .int(lost?.lost), .text(lost?.why), .int(row))
    case .computing(let row, let through, let ended):
      try database.execute(
        "UPDATE timeline SET computing = ?, ended = ? WHERE id = ?", .int(through),
        .text(ended?.rawValue), .int(row))
    case .rename(let row, let name):
      try database.execute("UPDATE timeline SET name = ? WHERE id = ?", .text(name), .int(row))
    case .mark(let row, let seq, let text?):
      try database.execute(
        "INSERT OR REPLACE INTO mark (timeline, seq, text) VALUES (?, ?, ?)", .int(row), .int(seq),
        .text(text))
    case .mark(let row, let seq, nil):
      try database.execute(
        "DELETE FROM mark WHERE timeline = ? AND seq = ?", .int(row), .int(seq))
    case .publish(let row):
      try database.execute("UPDATE timeline SET phase = 0 WHERE id = ?", .int(row))
    case .discard(let row):
      try database.execute("UPDATE timeline SET phase = 2, uuid = NULL WHERE id = ?", .int(row))
    case .delete(let row, let id, let now): try delete(row, id, at: now)
    case .cutHead(let chunk, let index, let old): try cutHead(chunk, index, replacing: old)
    case .probe:
      // SQLite writes nothing if a row keeps its value.
      try database.execute(
        """
        INSERT INTO meta (key, value) VALUES ('probe', 1)
        ON CONFLICT (key) DO UPDATE SET value = (value + 1) % 1000000
        """)
    }
  }

  private func begin(_ timeline: TimelineRow) throws(DatabaseError) {
    let header = timeline.header
    try database.execute("DELETE FROM gone WHERE uuid = ?", .text(header.timeline.text))
    try database.execute(
      """
      INSERT INTO timeline (id, uuid, phase, header, app, name, parent, start, shared,
        sharedFirst, started, touched, computing, t, known)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .int(timeline.row), .text(header.timeline.text), .int(timeline.isImporting ? 1 : 0),
      .blob(Array(header.line.bytes)), .text(header.app.name),
      // A branch has the name that its maker gave it, until it is renamed.
      .text(timeline.parent == nil ? nil : header.parent?.name), .int(timeline.parent?.row),
      .int(timeline.parent?.start), .int(timeline.parent?.count ?? 0),
      .int(timeline.parent?.first), .int(header.started.microseconds), .int(timeline.now),
      .int(timeline.computing), .int(timeline.parent?.t),
      .bool(timeline.parent?.isKnown == true))
  }

  private func append(_ tail: TailRow) throws(DatabaseError) {
    try database.execute(
      """
      INSERT INTO tail (timeline, first, last, t, base, newest, known, lines)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .int(tail.row), .int(tail.seqs.lowerBound), .int(tail.seqs.upperBound), .int(tail.t),
      .int(tail.base), .int(tail.newest), .bool(tail.isKnown), .blob(tail.lines))
  }

  func insertChunk(_ chunk: ChunkRow) throws(DatabaseError) {
    try database.execute(
      """
      INSERT INTO chunk (timeline, ordinal, first, last, t0, t1, base, bytes, indexed, keyframes,
        lines)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
      """,
      .int(chunk.row), .int(chunk.ordinal), .int(chunk.seqs.lowerBound),
      .int(chunk.seqs.upperBound), .int(chunk.times.lowerBound), .int(chunk.times.upperBound),
      .int(chunk.base), .int(Int64(chunk.bytes)), .blob(chunk.keyframes), .blob(chunk.packed))
  }

  /// Updates the totals of a chunk's timeline.
  private func count(_ chunk: ChunkRow) throws(DatabaseError) {
    try database.execute(
      """
      UPDATE timeline SET chunks = ?, entries = entries + ?, first = coalesce(first, ?), last = ?,
        t = ?, newest = ?, known = ?, bytes = bytes + ?, stored = stored + ?, touched = ?
      WHERE id = ?
      """,
      .int(chunk.ordinal + 1), .int(Int64(chunk.seqs.count)), .int(chunk.seqs.lowerBound),
      .int(chunk.seqs.upperBound), .int(chunk.times.upperBound), .int(chunk.newest),
      .bool(chunk.isKnown), .int(Int64(chunk.bytes)), .int(Int64(chunk.packed.count)),
      .int(chunk.now), .int(chunk.row))
  }

  private func delete(_ row: Int64, _ id: TimelineID, at now: Int64) throws(DatabaseError) {
    try database.execute("UPDATE timeline SET phase = 2, uuid = NULL WHERE id = ?", .int(row))
    try database.execute("DELETE FROM mark WHERE timeline = ?", .int(row))
    try database.execute(
      "INSERT OR REPLACE INTO gone (uuid, at) VALUES (?, ?)", .text(id.text), .int(now))
    // Recorders that were notified or have ended do not ask again.
    let dayOfMicroseconds: Int64 = 86_400_000_000
    try database.execute("DELETE FROM gone WHERE at < ?", .int(now - 30 * dayOfMicroseconds))
    events[row] = nil
  }
}

extension SQLiteRows {
  /// The id of an event name in a timeline, inserted if it is new.
  func eventID(_ name: String, of row: Int64) throws(DatabaseError) -> Int64 {
    if let known = events[row]?[name] { return known }
    var id = try database.first(
      "SELECT id FROM event WHERE timeline = ? AND name = ?", .int(row), .text(name),
      row: { $0.int(0) })
    if id == nil {
      try database.execute(
        "INSERT INTO event (timeline, name) VALUES (?, ?)", .int(row), .text(name))
      id = database.lastInsertedRow
    }
    // Names come from peers: 1,024 per timeline, and 64 timelines, are some hundred KiB.
    if events.count > 64 { events = [:] }
    if let known = events[row], known.count >= 1_024 { events[row] = nil }
    events[row, default: [:]][name] = id
    return id ?? 0
  }
}
