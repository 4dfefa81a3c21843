package import Timelines

/// A snapshot of the stored timelines: everything that was durable at one moment, and nothing
/// later.
///
/// ``Store/read(_:)`` lends it to a closure on a reading thread. Keep reads short, some dozens of
/// milliseconds: the database log cannot be emptied meanwhile. Split long work into several reads.
package final class StoreReader {
  let database: Database
  let caches: StoreCaches
  let zstd = Zstd()

  /// The last piece that was read, and its step: reading a moment needs the same piece for the
  /// entry, its keyframe, and the patches between.
  var latest: (step: Lineage.Step, piece: StoredPiece)?

  init(_ database: Database, caches: StoreCaches) {
    self.database = database
    self.caches = caches
  }

  /// The version of the stored index; rows of another version are meaningless.
  package func indexVersion() throws(StoreError) -> Int64 {
    try asking { () throws(DatabaseError) in
      try database.integer("SELECT value FROM meta WHERE key = 'index'")
    }
  }

  /// The rows that hold a timeline's entries.
  package func lineage(of id: TimelineID) throws(StoreError) -> Lineage {
    let found = try asking { () throws(DatabaseError) -> [Lineage.Step] in
      guard
        var row = try database.first(
          "SELECT id FROM timeline WHERE uuid = ? AND phase = 0", .text(id.text),
          row: { $0.int(0) })
      else { return [] }
      var steps: [Lineage.Step] = []
      var upper = Int64.max
      while true {
        let link = try database.first(
          "SELECT parent, start FROM timeline WHERE id = ?", .int(row),
          row: { (parent: $0.intOrNil(0), start: $0.int(1)) })
        let lower = link?.parent == nil ? 0 : link?.start ?? 0
        if lower <= upper { steps.append(Lineage.Step(row: row, seqs: lower...upper)) }
        upper = min(upper, lower - 1)
        // A parent has a smaller id, so this terminates.
        guard upper >= 0, let parent = link?.parent, parent < row else { return steps.reversed() }
        row = parent
      }
    }
    guard !found.isEmpty else { throw StoreError(.notFound(id)) }
    return Lineage(id: id, steps: found)
  }

  /// Queries the database, and converts its errors to store errors.
  func asking<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }
}
