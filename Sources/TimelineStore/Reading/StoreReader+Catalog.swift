package import Timelines
import Wire

extension StoreReader {
  /// All timelines, the newest first.
  ///
  /// A start later than the last write counts as the time of the write: a recorder's clock that is
  /// ahead, or a false header, would otherwise stay the newest forever.
  package func timelines() throws(StoreError) -> [TimelineRecord] {
    try records(
      where: "t.phase = 0 ORDER BY min(t.started, t.touched) DESC, t.started DESC, t.id DESC", [])
  }

  /// A timeline.
  package func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord {
    guard let record = try records(where: "t.uuid = ? AND t.phase = 0", [.text(id.text)]).first
    else { throw StoreError(.notFound(id)) }
    return record
  }

  /// The last seq of a timeline; `nil` if it has none, does not exist, or was deleted.
  package func lastSeq(of id: TimelineID) throws(StoreError) -> Int64? {
    do {
      return try timeline(id).last
    } catch {
      switch error.reason {
      case .notFound, .gone: return nil
      default: throw error
      }
    }
  }

  /// Whether a timeline was deleted.
  package func isGone(_ id: TimelineID) throws(StoreError) -> Bool {
    try asking { () throws(DatabaseError) in
      try database.integer("SELECT count(*) FROM gone WHERE uuid = ?", .text(id.text)) > 0
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
          if let record = TimelineRecord(row) { records.append(record) }
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

extension TimelineRecord {
  fileprivate init?(_ row: borrowing Statement) {
    guard let text = row.text(1), let id = TimelineID(text) else { return nil }
    self.id = id
    self.row = row.int(0)
    header = row.blob(2)
    app = row.text(3) ?? ""
    name = row.text(4)
    started = Timestamp(microseconds: row.int(5))
    isClosed = row.int(6) != 0
    lostAtEnd = row.intOrNil(7).map { Gap(lost: $0, why: row.text(8) ?? "") }
    computing = row.intOrNil(9)
    ended = row.text(10).flatMap { BranchEnd(rawValue: $0) }
    let start = row.intOrNil(17)
    entries = row.int(11) + row.int(18) + row.int(23)
    first = row.intOrNil(19) ?? row.intOrNil(12) ?? row.intOrNil(24)
    last = row.intOrNil(25) ?? row.intOrNil(13)
    if last == nil, row.intOrNil(19) != nil { last = start.map { $0 - 1 } }
    duration = row.intOrNil(26) ?? row.int(14)
    bytes = row.int(15) + row.int(27)
    stored = row.int(16) + row.int(27)
    if let start, let parent = row.text(20).flatMap({ TimelineID($0) }) {
      self.parent = Parent(id: parent, row: row.int(21), start: start)
    }
    branches = row.int(22)
    touched = row.int(28)
    marks = []
  }
}
