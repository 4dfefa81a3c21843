import Timelines
import Wire

/// Reads a damaged database row by row and stores the readable rows.
struct Salvage {
  let target: Store
  let disk: any StoreDisk
  var report = SalvageReport()

  /// The first disk error that does not mean that stored bytes are unreadable.
  private let fault = DiskFault()

  private final class DiskFault {
    var first: DatabaseError?

    func check() throws(StoreError) {
      if let first { throw StoreError(first) }
    }
  }

  /// Reads rows; `nil` if they are damaged. Any other error ends the recovery, because rows that
  /// may be readable later would count as lost.
  private func reading<Value>(_ body: () throws(DatabaseError) -> Value?) -> Value? {
    do {
      return try body()
    } catch {
      if error.isOfDisk, !error.isOfReading, fault.first == nil { fault.first = error }
      return nil
    }
  }

  /// A run somewhere in the old database.
  private struct Place {
    var table: String
    var id: Int64
    var first: Int64
    var last: Int64
  }

  private struct Source {
    var id: TimelineID
    var header: Header
    var name: String?
    var start: Int64?
    /// The last seq that is known to have existed.
    var last: Int64?
    var places: [Place]
    var marks: [(seq: Int64, text: String)]
    /// The losses after the last entry.
    var lostAtEnd: Gap?
    var computing: Int64?
    var ended: BranchEnd?
  }

  /// The content of a row in the table of timelines.
  private enum Found {
    case source(Source)
    /// It was being imported or deleted, and was not visible.
    case hidden
    case unreadable
  }

  init(target: Store, disk: any StoreDisk) {
    (self.target, self.disk) = (target, disk)
  }

  mutating func run(from path: String) async throws {
    let database: Database
    do {
      database = try Database(path: path, access: .reading, on: disk)
    } catch {
      throw StoreError(error)
    }
    let sources = try read(database)
    try fault.check()
    let zstd = Zstd()
    for source in sources {
      try await store(source, database, zstd)
      try fault.check()
    }
  }

  /// Reads every row by its id, so that a damaged page costs only its own rows.
  private mutating func read(_ database: Database) throws(StoreError) -> [Source] {
    var places: [Int64: [Place]] = [:]
    for table in ["chunk", "tail"] {
      var hasUnreadable = false
      let isWhole = forEachID(of: table, database) { id in
        let found = reading { () throws(DatabaseError) in
          try database.first(
            "SELECT timeline, first, last FROM \(table) WHERE id = ?", .int(id),
            row: { ($0.int(0), Place(table: table, id: id, first: $0.int(1), last: $0.int(2))) })
        }
        if let (row, place) = found {
          places[row, default: []].append(place)
        } else {
          hasUnreadable = true
        }
      }
      if !isWhole || hasUnreadable {
        // Losses between entries are reported with their timeline; losses at the end cannot be
        // detected.
        report.losses.append(
          "A part of the table \(table) cannot be read; timelines may have had more at their ends.")
      }
    }
    var sources: [Source] = []
    let isWhole = forEachID(of: "timeline", database) { id in
      let own = places.removeValue(forKey: id) ?? []
      switch timeline(id, database) {
      case .hidden: return
      case .unreadable:
        report.losses.append(
          "A timeline and its \(own.count) \(own.count == 1 ? "run" : "runs") of entries are lost.")
      case .source(var source):
        // Chunks before rows of the tail: a torn database may hold the same entries in both.
        source.places = own.sorted { ($0.first, $0.table) < ($1.first, $1.table) }
        source.last = [source.last, own.map(\.last).max()].compactMap { $0 }.max()
        sources.append(source)
      }
    }
    if !isWhole {
      report.losses.append(
        "A part of the list of timelines cannot be read; those that only it names are lost.")
    }
    let orphans = places.values.reduce(0) { $0 + $1.count }
    if orphans > 0 {
      report.losses.append(
        "\(orphans) \(orphans == 1 ? "run of entries belongs" : "runs of entries belong") to timelines that cannot be read."
      )
    }
    return sources
  }

  private mutating func timeline(_ id: Int64, _ database: Database) -> Found {
    let found = reading { () throws(DatabaseError) in
      try database.first(
        """
        SELECT uuid, header, name, parent, start, phase, last, lost, why, computing, ended
        FROM timeline WHERE id = ?
        """, .int(id)
      ) { row -> Found in
        guard row.int(5) == 0 else { return .hidden }
        guard let uuid = row.text(0).flatMap({ TimelineID($0) }),
          let header = try? Header(reading: row.blob(1))
        else { return .unreadable }
        return .source(
          Source(
            id: uuid, header: header, name: row.text(2), start: row.isNull(3) ? nil : row.int(4),
            last: row.isNull(6) ? nil : row.int(6), places: [], marks: [],
            lostAtEnd: row.intOrNil(7).map { Gap(lost: $0, why: row.text(8) ?? "") },
            computing: row.intOrNil(9), ended: row.text(10).flatMap { BranchEnd(rawValue: $0) }))
      }
    }
    guard case .source(var source) = found else { return found ?? .unreadable }
    let marks: Void? = reading { () throws(DatabaseError) in
      try database.forEach("SELECT seq, text FROM mark WHERE timeline = ?", .int(id)) { row in
        source.marks.append((row.int(0), row.text(1) ?? ""))
      }
    }
    if marks == nil { report.losses.append("Marks of \(source.id) cannot be read.") }
    return .source(source)
  }

  /// Passes the ids of a table to a closure, in order; returns whether every row could be read.
  ///
  /// Where rows cannot be read, it tries id by id, and after some misses in ever longer steps,
  /// because ids may be far apart. When it can read again, it searches the ids that the last step
  /// skipped.
  private func forEachID(
    of table: String, _ database: Database, _ body: (Int64) -> Void
  ) -> Bool {
    let recorded = reading { () throws(DatabaseError) in
      try database.integer("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'")
    }
    let greatest = reading { () throws(DatabaseError) in
      try database.integer("SELECT max(id) FROM \(table)")
    }
    // If neither can be read: ids are consecutive, and no store has this many.
    let known = [recorded, greatest].compactMap { $0 }.filter { $0 > 0 }.max()
    let end = min(known ?? .max, 1 << 32)
    var id: Int64 = 0
    var missed = id
    var misses = 0
    var isWhole = true
    while true {
      if var next = self.id(after: id, of: table, database) {
        while id - missed > 1, misses > 0 {
          let middle = missed + (id - missed) / 2
          if let found = self.id(after: middle, of: table, database) {
            (id, next) = (middle, found)
          } else {
            missed = middle
          }
        }
        guard next < .max else { return isWhole }
        body(next)
        (id, misses) = (next, 0)
      } else {
        isWhole = false
        guard id < end, fault.first == nil else { return false }
        missed = id
        id += 1 << (misses / Self.missesPerStep)
        misses += 1
      }
    }
  }

  /// A damaged page has some ten rows, and an interior page leads to some thousand. The steps
  /// double each time, so all possible ids cost two thousand misses.
  private static let missesPerStep = 64

  /// The id after another, `Int64.max` after the last; `nil` if it cannot be read.
  ///
  /// A row with a damaged id may claim to be far away although others precede it, so the result is
  /// verified.
  private func id(after id: Int64, of table: String, _ database: Database) -> Int64? {
    let upwards = "SELECT id FROM \(table) WHERE id > ? ORDER BY id LIMIT 1"
    let downwards = "SELECT id FROM \(table) WHERE id < ? ORDER BY id DESC LIMIT 1"
    return reading { () throws(DatabaseError) in
      guard let next = try database.first(upwards, .int(id), row: { $0.int(0) })
      else { return .max }
      if next == id + 1 { return next }
      let before = reading { () throws(DatabaseError) in
        try database.first(downwards, .int(next), row: { $0.int(0) })
      }
      return next > id && before ?? 0 <= id ? next : nil
    }
  }

  private mutating func store(
    _ source: Source, _ database: Database, _ zstd: Zstd?
  ) async throws {
    let id = source.id
    var chain: EntryChain
    do {
      chain = EntryChain(after: try await begin(source))
    } catch let error as StoreError where !error.isOfDisk {
      return report.losses.append("The timeline \(id) is lost: \(error)")
    }
    var repairs = Repairs()
    for place in source.places {
      guard let run = content(of: place, database, zstd) else { continue }
      var entries: [Entry] = []
      for index in 0..<run.count {
        guard let entry = try? run.entry(at: index), entry.seq > chain.last ?? -1 else { continue }
        if let kept = chain.appendRepaired(entry, &repairs) { entries.append(kept) }
      }
      guard !entries.isEmpty else { continue }
      _ = try await target.append(AppendBatch(id, entries))
      report.entries += Int64(entries.count)
    }
    try await finish(source)
    report.timelines += 1
    let next = (chain.last ?? -1) + 1
    if let last = source.last, last >= next, last <= Entry.lastNumber {
      repairs.missing.append(next...last)
    }
    // A detached branch has already been reported.
    for range in repairs.missing where range.upperBound + 1 != source.start {
      report.losses.append(
        range.count == 1
          ? "The entry \(range.lowerBound) of \(id) cannot be read."
          : "The entries \(range.lowerBound) to \(range.upperBound) of \(id) cannot be read.")
    }
    if repairs.thinned > 0 || repairs.skipped > 0 {
      report.losses.append(
        """
        Of \(id), \(repairs.thinned) \(repairs.thinned == 1 ? "state" : "states") and \
        \(Counted.entries(repairs.skipped)) could not be kept.
        """)
    }
  }

  /// Ends a timeline, and restores its name, marks, and state.
  private mutating func finish(_ source: Source) async throws {
    let id = source.id
    try await target.end(id, gap: source.lostAtEnd)
    if let ended = source.ended { try await target.complete(id, ended: ended) }
    if let name = source.name { try await target.rename(id, to: name) }
    var lost = 0
    for mark in source.marks {
      do {
        try await target.mark(id, at: mark.seq, mark.text)
      } catch let error as StoreError where error.reason == .noEntry(id, seq: mark.seq) {
        lost += 1
      }
    }
    if lost > 0 {
      report.losses.append(
        lost == 1
          ? "1 mark of \(id) is lost: its entry cannot be read."
          : "\(lost) marks of \(id) are lost: their entries cannot be read.")
    }
  }

  /// Starts a timeline; returns the last seq before its own entries.
  ///
  /// A branch whose parent was not saved, or not up to the branch point, becomes an independent
  /// timeline without the shared entries.
  private mutating func begin(_ source: Source) async throws -> Int64? {
    guard let start = source.start else {
      try await open(source)
      return nil
    }
    do {
      _ = try await target.createBranch(source.header, computing: source.computing)
      return start > 0 ? start - 1 : nil
    } catch let error as StoreError where !error.isOfDisk {
      var fields = source.header.fields
      fields.parent = nil
      _ = try await target.open(try Header(fields))
      report.losses.append(
        "The branch \(source.id) is independent now: the entries it shared, before \(start), cannot be read."
      )
      return nil
    }
  }

  /// Opens a timeline that was recorded or imported.
  ///
  /// An earlier build accepted headers that are branches of their own branches. The one that would
  /// close the circle loses its parent.
  private mutating func open(_ source: Source) async throws {
    do {
      _ = try await target.open(source.header)
    } catch let error as StoreError where error.isAboutAncestors {
      var fields = source.header.fields
      fields.parent = nil
      _ = try await target.open(try Header(fields))
      report.losses.append("The timeline \(source.id) no longer names a parent: \(error)")
    }
  }

  private func content(of place: Place, _ database: Database, _ zstd: Zstd?) -> EntryRun? {
    let size = place.table == "chunk" ? "bytes" : "length(lines)"
    let bytes = reading { () throws(DatabaseError) in
      try database.first(
        "SELECT \(size), lines FROM \(place.table) WHERE id = ?", .int(place.id)
      ) { row -> [UInt8]? in
        place.table == "chunk"
          ? row.withBlob(1) { zstd?.unpack($0, count: Int(clamping: row.int(0))) } : row.blob(1)
      }
    }
    guard let bytes = bytes ?? nil, let run = EntryRun(first: place.first, lines: bytes),
      run.holdsEntries
    else { return nil }
    return run
  }
}
