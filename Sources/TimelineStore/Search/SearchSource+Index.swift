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
    var row = try read(.upTo(seq), key, timeline)
    row.upTo = (row.chunk ?? 0)...max(seq, row.chunk ?? 0)
    notes[noteKey] = row
    return row
  }

  /// The row of the first chunk that starts after a seq.
  private func row(
    of key: PostingKey, from seq: Int64, in timeline: Int64
  ) throws(StoreError) -> PostingRow {
    try read(.after(seq), key, timeline)
  }

  private func read(
    _ place: PostingPlace, _ key: PostingKey, _ timeline: Int64
  ) throws(StoreError) -> PostingRow {
    try reader.rows.withPosting(place, of: timeline, key: key.number) { chunk, seqs in
      PostingRow(chunk: chunk, places: PlaceSet(encoded: seqs) ?? PlaceSet())
    } ?? PostingRow(chunk: nil, places: PlaceSet())
  }

  /// The indices of the entries of an indexed run whose events have one of some names, or an
  /// unknown name.
  func places(of names: Set<String>, in head: RunHead) throws(StoreError) -> PlaceSet {
    let ids = try events(names, head.row)
    let chunk = head.whole.lowerBound
    var sets: [PlaceSet] = []
    for id in ids {
      let found = try reader.rows.withEntries(ofEvent: id, chunk: chunk) {
        PlaceSet(encoded: $0) ?? .all(head.whole.count)
      }
      if let found { sets.append(found) }
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
    let ids = try reader.rows.eventIDs(names, of: timeline)
    eventIDs[timeline] = ids
    return ids
  }

  /// The summaries of consecutive whole runs from an indexed one on, up to a maximum number.
  func runSummaries(from head: RunHead, count: Int64) throws(StoreError) -> [RunSummary] {
    guard let step = lineage.steps.first(where: { $0.row == head.row }) else { return [] }
    let ordinals = head.ordinal...max(head.ordinal, head.ordinal + count - 1)
    var found: [RunSummary] = []
    var ordinal = head.ordinal
    for row in try reader.rows.levels(0, ordinals, of: head.row) {
      guard row.ordinal == ordinal, row.first <= row.last, row.last <= step.seqs.upperBound,
        let summary = StretchSummary(encoded: row.summary)
      else { continue }
      found.append(
        RunSummary(seqs: row.first...row.last, times: row.times, summary: summary))
      ordinal += 1
    }
    return found.first?.seqs == head.whole ? found : []
  }

  /// The longest stretch of whole runs that starts with an indexed run and ends within both bounds,
  /// with its counts.
  func stretch(
    beginningWith head: RunHead, within bounds: StretchBounds
  ) throws(StoreError) -> Stretch? {
    guard let step = lineage.steps.first(where: { $0.row == head.row }) else { return nil }
    var best: Stretch?
    var level: Int64 = 0
    // A stretch of level n starts where the last 4n bits of the ordinal are zero.
    while level < 12, head.ordinal & ((1 << (4 * level)) - 1) == 0 {
      let ordinal = head.ordinal >> (4 * level)
      guard let row = try reader.rows.levels(level, ordinal...ordinal, of: head.row).first,
        row.first == head.whole.lowerBound, row.last >= head.whole.upperBound,
        row.last <= min(bounds.seq, step.seqs.upperBound), row.times.upperBound <= bounds.t,
        let summary = StretchSummary(encoded: row.summary)
      else { break }
      best = Stretch(last: row.last, summary: summary)
      level += 1
    }
    return best
  }
}
