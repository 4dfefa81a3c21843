import JSONCore
import TimelineStore
import Timelines
import Wire

extension PostgresRows {
  /// Adds the statements of one change.
  func apply(_ change: RowChange) throws(StoreError) {
    switch change {
    case .begin(let timeline): begin(timeline)
    case .header(let row, let header):
      add(
        "UPDATE timeline SET header = $2 WHERE id = $1", .int(row),
        .bytes(Array(header.line.bytes)))
    case .append(let tail): try append(tail)
    case .seal(let chunk, let index): try seal(chunk, index)
    case .index(let row, let chunk, let index): try insertLater(index, of: row, chunk: chunk)
    case .close(let row, let isClosed, let lost): close(row, isClosed, lost)
    case .computing(let row, let through, let ended):
      add(
        "UPDATE timeline SET computing = $2, ended = $3 WHERE id = $1", .int(row), .int(through),
        .text(ended?.rawValue))
    case .rename(let row, let name):
      add("UPDATE timeline SET name = $2 WHERE id = $1", .int(row), .peerText(name))
    case .mark(let row, let seq, let text?):
      add(
        """
        INSERT INTO mark (timeline, seq, text) VALUES ($1, $2, $3)
        ON CONFLICT (timeline, seq) DO UPDATE SET text = excluded.text
        """, .int(row), .int(seq), .peerText(text))
    case .mark(let row, let seq, nil):
      add("DELETE FROM mark WHERE timeline = $1 AND seq = $2", .int(row), .int(seq))
    case .publish(let row):
      add("UPDATE timeline SET phase = 0 WHERE id = $1 AND phase = 1", .int(row), expected: 1)
    case .discard(let row):
      add("UPDATE timeline SET phase = 2, uuid = NULL WHERE id = $1", .int(row))
      forget(row)
    case .delete(let row, let id, let now): delete(row, id, at: now)
    case .cutHead(let chunk, let index, let old): try cutHead(chunk, index, replacing: old)
    case .probe:
      add(
        """
        INSERT INTO meta (key, value) VALUES ('probe', 1)
        ON CONFLICT (key) DO UPDATE SET value = (meta.value + 1) % 1000000
        """)
    }
  }

  private func begin(_ timeline: TimelineRow) {
    let header = timeline.header
    let parent = timeline.parent
    add("DELETE FROM gone WHERE uuid = $1", .text(header.timeline.text))
    add(
      "UPDATE meta SET value = greatest(value, $1) WHERE key = 'row'", .int(timeline.row))
    add(
      """
      INSERT INTO timeline (id, uuid, phase, header, app, name, parent, start, shared,
        shared_first, started, touched, computing, t, known, epoch, durable)
      VALUES ($1, $2, $3::bigint::smallint, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
        $16, $17)
      """,
      .int(timeline.row), .text(header.timeline.text), .int(timeline.isImporting ? 1 : 0),
      .bytes(Array(header.line.bytes)), .peerText(header.app.name),
      // A branch has the name that its maker gave it, until it is renamed.
      .peerText(parent == nil ? nil : header.parent?.name), .int(parent?.row), .int(parent?.start),
      .int(parent?.count ?? 0), .int(parent?.first), .int(header.started.microseconds),
      .int(timeline.now), .int(timeline.computing), .int(parent?.t),
      .bool(parent?.isKnown == true), .int(begin(timeline.row)),
      .int(max(0, parent?.start ?? 0) - 1))
  }

  /// Stores entries if the timeline is this writer's, and if they are not stored yet.
  private func append(_ tail: TailRow) throws(StoreError) {
    let epoch = try epoch(of: tail.row)
    add(
      """
      WITH own AS (
        UPDATE timeline SET durable = $3
        WHERE id = $1 AND epoch = $9 AND durable < $2 AND phase < 2 RETURNING 1
      )
      INSERT INTO tail (timeline, first, last, t, base, newest, known, lines)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM own
      """,
      .int(tail.row), .int(tail.seqs.lowerBound), .int(tail.seqs.upperBound), .int(tail.t),
      .int(tail.base), .int(tail.newest), .bool(tail.isKnown), .bytes(tail.lines), .int(epoch),
      expected: 1)
  }

  private func seal(_ chunk: ChunkRow, _ index: IndexRows) throws(StoreError) {
    let epoch = try epoch(of: chunk.row)
    add(
      """
      UPDATE timeline SET chunks = $3, entries = entries + $4, first = coalesce(first, $5),
        last = $6, t = $7, newest = $8, known = $9, bytes = bytes + $10, stored = stored + $11,
        indexed = indexed + $12, touched = $13, durable = greatest(durable, $6)
      WHERE id = $1 AND epoch = $2
      """,
      .int(chunk.row), .int(epoch), .int(chunk.ordinal + 1), .int(Int64(chunk.seqs.count)),
      .int(chunk.seqs.lowerBound), .int(chunk.seqs.upperBound), .int(chunk.times.upperBound),
      .int(chunk.newest), .bool(chunk.isKnown), .int(Int64(chunk.bytes)),
      .int(Int64(chunk.packed.count)), .int(index.storedBytes), .int(chunk.now), expected: 1)
    add(
      "DELETE FROM tail WHERE timeline = $1 AND last BETWEEN $2 AND $3", .int(chunk.row),
      .int(chunk.seqs.lowerBound), .int(chunk.seqs.upperBound))
    insertChunk(chunk)
    insert(index, of: chunk.row, chunk: chunk.seqs.lowerBound)
    addLevel(
      PostgresLevel(
        row: chunk.row, level: 0, ordinal: chunk.ordinal, seqs: chunk.seqs, times: chunk.times,
        summary: index.summary))
  }

  func insertChunk(_ chunk: ChunkRow) {
    add(
      """
      INSERT INTO chunk (timeline, ordinal, first, last, t0, t1, base, bytes, indexed, keyframes,
        lines)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, $10)
      """,
      .int(chunk.row), .int(chunk.ordinal), .int(chunk.seqs.lowerBound),
      .int(chunk.seqs.upperBound), .int(chunk.times.lowerBound), .int(chunk.times.upperBound),
      .int(chunk.base), .int(Int64(chunk.bytes)), .bytes(chunk.keyframes), .bytes(chunk.packed))
  }

  private func close(_ row: Int64, _ isClosed: Bool, _ lost: Gap?) {
    add(
      """
      UPDATE timeline SET closed = $2, lost = $3, why = $4,
        touched = greatest(touched, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
      WHERE id = $1
      """, .int(row), .bool(isClosed), .int(lost?.lost), .peerText(lost?.why))
  }

  private func delete(_ row: Int64, _ id: TimelineID, at now: Int64) {
    add("UPDATE timeline SET phase = 2, uuid = NULL WHERE id = $1", .int(row))
    add("DELETE FROM mark WHERE timeline = $1", .int(row))
    add(
      """
      INSERT INTO gone (uuid, at) VALUES ($1, $2)
      ON CONFLICT (uuid) DO UPDATE SET at = excluded.at
      """, .text(id.text), .int(now))
    // Recorders that were notified or have ended do not ask again.
    let dayOfMicroseconds: Int64 = 86_400_000_000
    add("DELETE FROM gone WHERE at < $1", .int(now - 30 * dayOfMicroseconds))
    forget(row)
  }
}
