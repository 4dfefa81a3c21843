import TimelineStore
import Timelines

extension PostgresReading {
  func timelines() throws(StoreError) -> [TimelineRecord] {
    try records(
      """
      t.phase = 0 ORDER BY least(t.started, t.touched) DESC, t.started DESC, t.id DESC
      """, marksOf: nil)
  }

  func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord? {
    try records("t.uuid = $1 AND t.phase = 0", marksOf: id).first
  }

  func isGone(_ id: TimelineID) throws(StoreError) -> Bool {
    try ask("SELECT 1 FROM gone WHERE uuid = $1", .text(id.text)).count > 0
  }

  func isSettled() throws(StoreError) -> Bool {
    try ask("SELECT 1 FROM timeline WHERE phase <> 0 LIMIT 1").count == 0
  }

  func ancestry(of id: TimelineID) throws(StoreError) -> [AncestryRow] {
    // A parent has a smaller id, so this terminates.
    try ask(
      """
      WITH RECURSIVE up AS (
        SELECT id, parent, start, 0::bigint AS depth FROM timeline WHERE uuid = $1 AND phase = 0
        UNION ALL
        SELECT t.id, t.parent, t.start, up.depth + 1 FROM timeline t JOIN up ON t.id = up.parent
        WHERE t.id < up.id
      )
      SELECT id, CASE WHEN parent IS NOT NULL THEN coalesce(start, 0) END FROM up ORDER BY depth
      """, .text(id.text)
    ).rows.map { AncestryRow(row: $0.int(0), start: $0.intOrNil(1)) }
  }

  private func records(
    _ condition: String, marksOf id: TimelineID?
  ) throws(StoreError) -> [TimelineRecord] {
    let found =
      if let id { try ask(Self.recordQuery + condition, .text(id.text)) } else {
        try ask(Self.recordQuery + condition)
      }
    var records = found.rows.compactMap { CatalogRow($0).record }
    var places: [Int64: Int] = [:]
    for (place, record) in records.enumerated() { places[record.row] = place }
    let marks = try ask(
      """
      SELECT timeline, seq, text FROM mark WHERE timeline = ANY ($1::bigint[])
      ORDER BY timeline, seq
      """, .ints(records.map(\.row)))
    for row in marks.rows {
      guard let place = places[row.int(0)] else { continue }
      records[place].marks.append(.init(seq: row.int(1), text: row.text(2) ?? ""))
    }
    return records
  }

  private static let recordQuery = """
    SELECT t.id, t.uuid, t.header, t.app, t.name, t.started, t.closed, t.lost, t.why, t.computing,
      t.ended, t.entries, t.first, t.last, t.t, t.bytes, t.stored, t.start, t.shared,
      t.shared_first, p.uuid, t.parent,
      (SELECT count(*) FROM timeline b WHERE b.parent = t.id AND b.phase = 0),
      x.entries, x.first, x.last, x.t, x.bytes, t.touched
    FROM timeline t
    LEFT JOIN timeline p ON p.id = t.parent
    LEFT JOIN LATERAL (
      SELECT min(first) AS first, max(last) AS last, sum(last - first + 1)::bigint AS entries,
        max(t) AS t, sum(octet_length(lines))::bigint AS bytes
      FROM tail WHERE timeline = t.id
    ) x ON true
    WHERE\u{20}
    """
}

extension CatalogRow {
  fileprivate init(_ found: PostgresRow) {
    self.init()
    row = found.int(0)
    id = found.text(1)
    header = found.blob(2)
    app = found.text(3) ?? ""
    name = found.text(4)
    started = found.int(5)
    isClosed = found.bool(6)
    lost = found.intOrNil(7)
    why = found.text(8)
    computing = found.intOrNil(9)
    ended = found.text(10)
    sealed = Part(
      entries: found.int(11), first: found.intOrNil(12), last: found.intOrNil(13),
      t: found.intOrNil(14), bytes: found.int(15))
    stored = found.int(16)
    start = found.intOrNil(17)
    shared = found.int(18)
    sharedFirst = found.intOrNil(19)
    parent = found.text(20)
    parentRow = found.int(21)
    branches = found.int(22)
    tail = Part(
      entries: found.int(23), first: found.intOrNil(24), last: found.intOrNil(25),
      t: found.intOrNil(26), bytes: found.int(27))
    touched = found.int(28)
  }
}
