/// Compares the index of a timeline with its entries, chunk by chunk.
///
/// The rows of a chunk are scattered in the database. They are read once, in their own order, and
/// reduced to one checksum per chunk, so that checking ten million entries takes some hundred
/// kilobytes.
struct IndexCheck: SteppedSearch {
  private var sums: [Int64: RowSum]?
  /// The chunks that had an index when the rows were read; the sums cover only those.
  private var chunks: Set<Int64> = []
  private var position: Int64?
  private var differences: [String] = []

  /// The maximum number of differences that are reported individually.
  private static let limit = 100

  /// A sum over rows that does not depend on their order.
  private struct RowSum: Hashable, Sendable {
    var count = 0
    var sum: UInt64 = 0

    mutating func add(_ kind: UInt8, _ key: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
      var hash = PathHash([kind])
      for byte in key { hash.feed(byte) }
      hash.feed(0xFF)
      for byte in value { hash.feed(byte) }
      count += 1
      sum &+= hash.value &* (hash.value | 1)
    }
  }

  /// Performs one step; returns the differences after the last one.
  mutating func step(_ source: SearchSource) throws(StoreError) -> [String]? {
    guard source.hasIndex, let ends = source.ends else { return differences }
    let known: [Int64: RowSum]
    if let sums {
      known = sums
    } else {
      known = try read(source)
      chunks = try source.reader.rows.indexedChunks(of: source.lineage.row)
    }
    sums = known
    guard let head = try source.run(from: position ?? ends.lowerBound) else { return differences }
    position = head.seqs.upperBound + 1
    // A branch's shared entries are checked with the parent.
    if head.row == source.lineage.row, chunks.contains(head.whole.lowerBound) {
      try compare(head, known, source)
    }
    let isDone = head.seqs.upperBound >= ends.upperBound || differences.count >= Self.limit
    return isDone ? differences : nil
  }

  /// Sums up all rows of the timeline.
  private func read(_ source: SearchSource) throws(StoreError) -> [Int64: RowSum] {
    let row = source.lineage.row
    var sums: [Int64: RowSum] = [:]
    try source.reader.rows.forEachPosting(of: row) { key, chunk, seqs in
      sums[chunk, default: RowSum()].add(0, String(key).utf8, seqs)
    }
    try source.reader.rows.forEachName(of: row) { chunk, name in
      sums[chunk, default: RowSum()].add(1, "\(name.name) \(name.count)".utf8, name.entries)
    }
    return sums
  }

  private mutating func compare(
    _ head: RunHead, _ known: [Int64: RowSum], _ source: SearchSource
  ) throws(StoreError) {
    guard let run = try source.entries(of: head) else { return }
    let rows = TimelineIndexer().rows(for: run)
    var sum = RowSum()
    for posting in rows.postings { sum.add(0, String(posting.key).utf8, posting.seqs) }
    for name in rows.names { sum.add(1, "\(name.name) \(name.count)".utf8, name.entries) }
    let place = "entries \(head.whole.lowerBound) to \(head.whole.upperBound)"
    if sum != known[head.whole.lowerBound] ?? RowSum() {
      differences.append("the paths and names of \(place) are not those of the index")
    }
    let summary = try source.summary(level: 0, ordinal: head.ordinal)
    if summary != rows.summary {
      differences.append("the counts of \(place) are not those of the index")
    }
    try compareLevels(endingWith: head, source)
  }

  /// Compares the summaries of the stretches that a chunk completes with those of their parts.
  private mutating func compareLevels(
    endingWith head: RunHead, _ source: SearchSource
  ) throws(StoreError) {
    var ordinal = head.ordinal
    var level: Int64 = 1
    while ordinal & 15 == 15 {
      ordinal >>= 4
      var parts: [[UInt8]] = []
      for part in (ordinal << 4)...(ordinal << 4 + 15) {
        if let summary = try source.summary(level: level - 1, ordinal: part) {
          parts.append(summary)
        }
      }
      let expected = parts.count == 16 ? TimelineIndexer().summary(of: parts) : nil
      if try source.summary(level: level, ordinal: ordinal) != expected {
        differences.append(
          "the counts of level \(level) up to entry \(head.whole.upperBound) are not their sum")
      }
      level += 1
    }
  }
}

extension SearchSource {
  /// A row of the pyramid.
  fileprivate func summary(level: Int64, ordinal: Int64) throws(StoreError) -> [UInt8]? {
    try reader.rows.levels(level, ordinal...ordinal, of: lineage.row).first?.summary
  }
}
