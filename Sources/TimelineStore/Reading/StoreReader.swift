package import Timelines

/// A look at the stored timelines at one moment: everything that was durable then, and nothing that
/// came later.
///
/// Lent to a closure by ``Store/read(_:)``, on a thread that reads. A look should be short, some
/// dozens of milliseconds: as long as it lasts the log of the database cannot be emptied. Long work
/// goes on from look to look.
package final class StoreReader {
  let database: Database
  let caches: StoreCaches
  let zstd = Zstd()

  /// The piece that this look read last, and of which step: who looks at a moment asks for the same
  /// one for its entry, its keyframe and the patches between.
  var latest: (step: Lineage.Step, piece: StoredPiece)?

  init(_ database: Database, caches: StoreCaches) {
    self.database = database
    self.caches = caches
  }

  /// The version of the index that is kept; rows of another one mean nothing.
  package func indexVersion() throws(StoreError) -> Int64 {
    try asking { () throws(DatabaseError) in
      try database.integer("SELECT value FROM meta WHERE key = 'index'")
    }
  }

  /// Which rows hold a timeline's entries.
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
        // A parent has the smaller id, so that this ends.
        guard upper >= 0, let parent = link?.parent, parent < row else { return steps.reversed() }
        row = parent
      }
    }
    guard !found.isEmpty else { throw StoreError(.notFound(id)) }
    return Lineage(id: id, steps: found)
  }

  /// Asks the database; what it refuses becomes the store's error.
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
