import Timelines

extension SQLiteReading {
  func timelines() throws(StoreError) -> [TimelineRecord] {
    try records(
      where: "t.phase = 0 ORDER BY min(t.started, t.touched) DESC, t.started DESC, t.id DESC", [])
  }

  func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord? {
    try records(where: "t.uuid = ? AND t.phase = 0", [.text(id.text)]).first
  }

  func isGone(_ id: TimelineID) throws(StoreError) -> Bool {
    try integer("SELECT count(*) FROM gone WHERE uuid = ?", .text(id.text)) > 0
  }

  func isSettled() throws(StoreError) -> Bool {
    try integer("SELECT count(*) FROM timeline WHERE phase <> 0") == 0
  }

  func ancestry(of id: TimelineID) throws(StoreError) -> [AncestryRow] {
    try asking { () throws(DatabaseError) in
      guard
        var row = try database.first(
          "SELECT id FROM timeline WHERE uuid = ? AND phase = 0", .text(id.text),
          row: { $0.int(0) })
      else { return [] }
      var rows: [AncestryRow] = []
      while true {
        let link = try database.first(
          "SELECT parent, start FROM timeline WHERE id = ?", .int(row),
          row: { (parent: $0.intOrNil(0), start: $0.int(1)) })
        rows.append(AncestryRow(row: row, start: link?.parent == nil ? nil : link?.start))
        // A parent has a smaller id, so this terminates.
        guard let parent = link?.parent, parent < row else { return rows }
        row = parent
      }
    }
  }

  private func records(
    where condition: String, _ values: [SQLValue]
  ) throws(StoreError) -> [TimelineRecord] {
    try asking { () throws(DatabaseError) in
      var records: [TimelineRecord] = []
      try database.withStatement(Self.recordQuery + condition) { row throws(DatabaseError) in
        try row.bind(values)
        while try row.step() {
          if let record = CatalogRow(row).record { records.append(record) }
        }
      }
      var places: [Int64: Int] = [:]
      for (place, record) in records.enumerated() { places[record.row] = place }
      let marks = "SELECT timeline, seq, text FROM mark ORDER BY timeline, seq"
      try database.forEach(marks) { row in
        guard let place = places[row.int(0)] else { return }
        records[place].marks.append(.init(seq: row.int(1), text: row.text(2) ?? ""))
      }
      return records
    }
  }

  private static let recordQuery = """
    SELECT t.id, t.uuid, t.header, t.app, t.name, t.started, t.closed, t.lost, t.why, t.computing,
      t.ended, t.entries, t.first, t.last, t.t, t.bytes, t.stored, t.start, t.shared,
      t.sharedFirst, p.uuid, t.parent,
      (SELECT count(*) FROM timeline b WHERE b.parent = t.id AND b.phase = 0),
      x.entries, x.first, x.last, x.t, x.bytes, t.touched
    FROM timeline t
    LEFT JOIN timeline p ON p.id = t.parent
    LEFT JOIN (
      SELECT timeline, min(first) AS first, max(last) AS last, sum(last - first + 1) AS entries,
        max(t) AS t, sum(length(lines)) AS bytes
      FROM tail GROUP BY timeline
    ) x ON x.timeline = t.id
    WHERE\u{20}
    """
}

extension CatalogRow {
  fileprivate init(_ found: borrowing Statement) {
    self.init()
    row = found.int(0)
    id = found.text(1)
    header = found.blob(2)
    app = found.text(3) ?? ""
    name = found.text(4)
    started = found.int(5)
    isClosed = found.int(6) != 0
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
