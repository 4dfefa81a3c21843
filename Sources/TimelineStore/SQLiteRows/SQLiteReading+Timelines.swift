import Timelines

extension SQLiteReading {
  func timelines() throws(StoreError) -> [TimelineRecord] {
    try records()
  }

  func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord? {
    let found = try rows("SELECT id FROM timeline WHERE uuid = ?1 AND phase = 0", .text(id.text))
    return found.isEmpty ? nil : try records(of: found).first
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

  private func rows(_ sql: String, _ value: SQLValue) throws(StoreError) -> [Int64] {
    try asking { () throws(DatabaseError) in
      var rows: [Int64] = []
      try database.forEach(sql, value) { rows.append($0.int(0)) }
      return rows
    }
  }

  /// The records of all rows or of these, the newest first.
  private func records(of rows: [Int64]? = nil) throws(StoreError) -> [TimelineRecord] {
    let values = rows.map { [SQLValue.text("\($0)")] } ?? []
    return try asking { () throws(DatabaseError) in
      var records: [TimelineRecord] = []
      let query = rows == nil ? Self.allRecords : Self.someRecords
      try database.withStatement(query) { row throws(DatabaseError) in
        try row.bind(values)
        while try row.step() {
          if let record = CatalogRow(row).record { records.append(record) }
        }
      }
      var places: [Int64: Int] = [:]
      for (place, record) in records.enumerated() { places[record.row] = place }
      let marks =
        "SELECT timeline, seq, text FROM mark \(rows == nil ? "" : Self.ofThese) "
        + "ORDER BY timeline, seq"
      try database.withStatement(marks) { row throws(DatabaseError) in
        try row.bind(values)
        while try row.step() {
          guard let place = places[row.int(0)] else { continue }
          records[place].marks.append(.init(seq: row.int(1), text: row.text(2) ?? ""))
        }
      }
      return records
    }
  }

  private static let ofThese = "WHERE timeline IN (SELECT value FROM json_each(?1))"
  private static let newestFirst =
    "ORDER BY min(t.started, t.touched) DESC, t.started DESC, t.id DESC"
  private static let allRecords = recordQuery() + "t.phase = 0 " + newestFirst
  private static let someRecords =
    recordQuery(ofThese) + "t.id IN (SELECT value FROM json_each(?1)) AND t.phase = 0 "
    + newestFirst

  /// - Parameter condition: which rows of the tail to count.
  private static func recordQuery(_ condition: String = "") -> String {
    """
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
      FROM tail \(condition) GROUP BY timeline
    ) x ON x.timeline = t.id
    WHERE\u{20}
    """
  }
}

// Names.
extension SQLiteReading {
  func timelines(named word: String, takesAll: Bool) throws(StoreError) -> [TimelineRecord] {
    var match = WordMatch(word, takesAll: takesAll)
    // A name with a slash may be of an app and its machine, which is only the last part of it.
    let quoted = word.contains("/") ? "\(word.split(separator: "/").last ?? "")\"" : "\"\(word)\""
    let values: [SQLValue] = [
      .text(word), .text(match.prefix ?? " "), .blob(Array(quoted.utf8)),
    ]
    let found = try asking { () throws(DatabaseError) in
      var found: [Int64] = []
      try database.withStatement(Self.namedRows) { row throws(DatabaseError) in
        try row.bind(values)
        while try row.step() {
          guard let id = row.text(1).flatMap({ TimelineID($0) }) else { continue }
          let names = TimelineNames(
            id: id, app: row.text(2) ?? "", machine: row.text(5), given: row.text(3),
            recorded: row.text(6), isBranch: row.text(4) != nil)
          if match.selects(names) { found.append(row.int(0)) }
        }
      }
      return found
    }
    return try records(of: found)
  }

  /// SQLite finds the headers that contain the word much faster than it reads all of them. A text with
  /// a backslash may contain it in another notation.
  private static let namedRows = """
    SELECT t.id, t.uuid, t.app, t.name, \(headerText("$.parent.timeline")),
      \(headerText("$.machine.name")), \(headerText("$.parent.name"))
    FROM timeline t
    WHERE t.phase = 0 AND (t.name = ?1 OR substr(t.uuid, 1, length(?2)) = ?2
      OR instr(t.header, ?3) > 0 OR instr(t.header, X'5C') > 0)
    \(newestFirst)
    """

  private static func headerText(_ path: String) -> String {
    """
    CASE WHEN json_valid(CAST(t.header AS TEXT))
      THEN json_extract(CAST(t.header AS TEXT), '\(path)') END
    """
  }

  func timelines(newest count: Int) throws(StoreError) -> [TimelineRecord] {
    let found = try rows(
      "SELECT t.id FROM timeline t WHERE t.phase = 0 \(Self.newestFirst) LIMIT ?1",
      .int(Int64(count)))
    return try records(of: found)
  }
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
