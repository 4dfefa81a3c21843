/// The row of a timeline and a key of postings.
struct PostingRowKey: Hashable {
  var row: Int64
  var key: PostingKey
}

/// A row of postings, and the seqs for which it is the right one.
struct PostingRow {
  /// The chunk's first seq; `nil` if there is no such row.
  var chunk: Int64?
  var places: PlaceSet
  /// For these seqs there is no nearer row backward.
  var upTo: ClosedRange<Int64>?
  /// For these seqs there is no nearer row forward.
  var from: ClosedRange<Int64>?
}

extension SearchSource {
  /// The last consecutive seqs under a key, up to a seq.
  ///
  /// It covers only indexed runs, and returns seqs of one run at most.
  func postings(_ key: PostingKey, upTo seq: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    guard hasIndex else { return nil }
    for step in lineage.steps[...lineage.index(of: seq)].reversed() {
      var upTo = min(seq, step.seqs.upperBound)
      while upTo >= step.seqs.lowerBound {
        let row = try row(of: key, upTo: upTo, in: step.row)
        guard let chunk = row.chunk else { break }
        let bound = UInt32(clamping: upTo - chunk)
        if let place = row.places.last(upTo: bound) {
          let low = row.places.runStart(endingAt: place)
          return chunk + Int64(low)...chunk + Int64(place)
        }
        upTo = chunk - 1
      }
    }
    return nil
  }

  /// The first consecutive seqs under a key, from a seq on.
  func postings(_ key: PostingKey, from seq: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    guard hasIndex else { return nil }
    for step in lineage.steps[lineage.index(of: seq)...] {
      let from = max(seq, step.seqs.lowerBound)
      // The row that may hold the seq itself, then those after it.
      let holder = try row(of: key, upTo: from, in: step.row)
      if let chunk = holder.chunk,
        let place = holder.places.first(from: UInt32(clamping: from - chunk))
      {
        // A branch may share less than the whole chunk: then the next step knows more.
        if let found = postingRange(place, holder.places, chunk, step) { return found }
        continue
      }
      let next = try row(of: key, from: from, in: step.row)
      if let chunk = next.chunk, let place = next.places.first(from: 0),
        let found = postingRange(place, next.places, chunk, step)
      {
        return found
      }
    }
    return nil
  }

  private func postingRange(
    _ place: UInt32, _ places: PlaceSet, _ chunk: Int64, _ step: Lineage.Step
  ) -> ClosedRange<Int64>? {
    let end = places.runEnd(beginningAt: place)
    return (chunk + Int64(place)...chunk + Int64(end)).clamped(inside: step.seqs)
  }

  /// The row of the last chunk that starts up to a seq.
  private func row(
    of key: PostingKey, upTo seq: Int64, in timeline: Int64
  ) throws(StoreError) -> PostingRow {
    let noteKey = PostingRowKey(row: timeline, key: key)
    if let known = notes[noteKey], known.upTo?.contains(seq) == true { return known }
    var row = try read(
      "chunk <= ? ORDER BY chunk DESC LIMIT 1", key, seq, timeline)
    row.upTo = (row.chunk ?? 0)...max(seq, row.chunk ?? 0)
    notes[noteKey] = row
    return row
  }

  /// The row of the first chunk that starts after a seq.
  private func row(
    of key: PostingKey, from seq: Int64, in timeline: Int64
  ) throws(StoreError) -> PostingRow {
    try read("chunk > ? ORDER BY chunk LIMIT 1", key, seq, timeline)
  }

  private func read(
    _ condition: String, _ key: PostingKey, _ seq: Int64, _ timeline: Int64
  ) throws(StoreError) -> PostingRow {
    try reader.asking { () throws(DatabaseError) in
      let sql = "SELECT chunk, seqs FROM posting WHERE timeline = ? AND key = ? AND "
      return try reader.database.first(
        sql + condition, .int(timeline), .int(key.number), .int(seq)
      ) { row in
        PostingRow(
          chunk: row.int(0), places: row.withBlob(1) { PlaceSet(encoded: $0) } ?? PlaceSet())
      } ?? PostingRow(chunk: nil, places: PlaceSet())
    }
  }

  /// The indices of the entries of an indexed run whose events have one of some names, or an
  /// unknown name.
  func places(of names: Set<String>, in head: RunHead) throws(StoreError) -> PlaceSet {
    let ids = try events(names, head.row)
    let chunk = head.whole.lowerBound
    let sets = try reader.asking { () throws(DatabaseError) in
      var sets: [PlaceSet] = []
      for id in ids {
        let found = try reader.database.first(
          "SELECT entries FROM name WHERE event = ? AND chunk = ?", .int(id), .int(chunk)
        ) { row in row.withBlob(0) { PlaceSet(encoded: $0) } ?? .all(head.whole.count) }
        if let found { sets.append(found) }
      }
      return sets
    }
    var union = sets.first ?? PlaceSet()
    for set in sets.dropFirst() { union = union.union(set) }
    for key in [PostingKey.hiddenEvent, .otherName] {
      let row = try row(of: key, upTo: chunk, in: head.row)
      if row.chunk == chunk { union = union.union(row.places) }
    }
    return union
  }

  /// Whether a run may have entries with redacted values.
  func mayHide(in head: RunHead) throws(StoreError) -> Bool {
    guard head.isIndexed else { return true }
    if !unredacted.contains(head.seqs.lowerBound) || !unredacted.contains(head.seqs.upperBound) {
      let next = try postings(.redacted, from: head.seqs.lowerBound)?.lowerBound ?? .max
      unredacted = head.seqs.lowerBound..<max(next, head.seqs.lowerBound)
    }
    return !unredacted.contains(head.seqs.upperBound)
  }

  private func events(_ names: Set<String>, _ timeline: Int64) throws(StoreError) -> [Int64] {
    if let known = eventIDs[timeline] { return known }
    let ids = try reader.asking { () throws(DatabaseError) in
      var ids: [Int64] = []
      for name in names {
        let id = try reader.database.first(
          "SELECT id FROM event WHERE timeline = ? AND name = ?", .int(timeline), .text(name)
        ) { $0.int(0) }
        if let id { ids.append(id) }
      }
      return ids
    }
    eventIDs[timeline] = ids
    return ids
  }

  /// The summaries of consecutive whole runs from an indexed one on, up to a maximum number.
  func runSummaries(from head: RunHead, count: Int64) throws(StoreError) -> [RunSummary] {
    guard let step = lineage.steps.first(where: { $0.row == head.row }) else { return [] }
    return try reader.asking { () throws(DatabaseError) in
      var found: [RunSummary] = []
      var ordinal = head.ordinal
      try reader.database.forEach(
        """
        SELECT ordinal, first, last, t0, t1, summary FROM level
        WHERE timeline = ? AND level = 0 AND ordinal BETWEEN ? AND ? ORDER BY ordinal
        """, .int(head.row), .int(ordinal), .int(ordinal + count - 1)
      ) { row in
        guard row.int(0) == ordinal, row.int(1) <= row.int(2), row.int(2) <= step.seqs.upperBound,
          let summary = StretchSummary(encoded: row.blob(5))
        else { return }
        found.append(
          RunSummary(
            seqs: row.int(1)...row.int(2), times: row.int(3)...max(row.int(3), row.int(4)),
            summary: summary))
        ordinal += 1
      }
      return found.first?.seqs == head.whole ? found : []
    }
  }

  /// The longest stretch of whole runs that starts with an indexed run and ends within both bounds,
  /// with its counts.
  func stretch(
    beginningWith head: RunHead, within bounds: StretchBounds
  ) throws(StoreError) -> Stretch? {
    guard let step = lineage.steps.first(where: { $0.row == head.row }) else { return nil }
    return try reader.asking { () throws(DatabaseError) in
      var best: Stretch?
      var level: Int64 = 0
      // A stretch of level n starts where the last 4n bits of the ordinal are zero.
      while level < 12, head.ordinal & ((1 << (4 * level)) - 1) == 0 {
        let found =
          try reader.database.first(
            """
            SELECT first, last, t1, summary FROM level
            WHERE timeline = ? AND level = ? AND ordinal = ?
            """, .int(head.row), .int(level), .int(head.ordinal >> (4 * level))
          ) { row in
            guard row.int(0) == head.whole.lowerBound, row.int(1) >= head.whole.upperBound,
              row.int(1) <= min(bounds.seq, step.seqs.upperBound), row.int(2) <= bounds.t
            else { return Stretch?.none }
            return StretchSummary(encoded: row.blob(3)).map {
              Stretch(last: row.int(1), summary: $0)
            }
          } ?? nil
        guard let found else { break }
        best = found
        level += 1
      }
      return best
    }
  }
}
