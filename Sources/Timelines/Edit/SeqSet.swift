/// A set of seqs, stored as ranges.
///
/// The ranges are in blocks of limited length, so that adding one moves few others.
struct SeqSet {
  /// Ascending, with a hole between any two. No block is empty.
  private var blocks: [[ClosedRange<Int64>]] = []

  /// The maximum length of a block: moving 8 KiB takes a fraction of a microsecond.
  private static let blockLimit = 512

  /// The ranges, ascending, with a hole between any two.
  var ranges: [ClosedRange<Int64>] { blocks.flatMap(\.self) }

  /// Whether the set contains a seq.
  func contains(_ seq: Int64) -> Bool {
    guard let block = blocks.lastSortedIndex(where: { $0[0].lowerBound <= seq }) else {
      return false
    }
    return blocks[block].lastSortedIndex(where: { $0.lowerBound <= seq })
      .map { blocks[block][$0].contains(seq) } ?? false
  }

  /// The parts of the set in a range.
  func parts(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    var parts: [ClosedRange<Int64>] = []
    let first = firstBlock { $0.upperBound >= range.lowerBound }
    for block in blocks[first...] {
      let start = block.firstSortedIndex { $0.upperBound >= range.lowerBound } ?? block.endIndex
      for part in block[start...] {
        guard part.lowerBound <= range.upperBound else { return parts }
        parts.append(part.clamped(to: range))
      }
    }
    return parts
  }

  /// The parts of a range that are not in the set.
  func holes(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    var holes: [ClosedRange<Int64>] = []
    var next: Int64? = range.lowerBound
    for part in parts(in: range) {
      if let from = next, from < part.lowerBound { holes.append(from...part.lowerBound - 1) }
      next = part.upperBound == .max ? nil : part.upperBound + 1
    }
    if let from = next, from <= range.upperBound { holes.append(from...range.upperBound) }
    return holes
  }

  /// Adds a range of nonnegative seqs.
  mutating func insert(_ range: ClosedRange<Int64>) {
    var (low, high) = (range.lowerBound, range.upperBound)
    // Merge it with ranges that overlap or adjoin it.
    let first = firstBlock { $0.upperBound >= range.lowerBound - 1 }
    var next = first
    while next < blocks.count, blocks[next][0].lowerBound - 1 <= range.upperBound {
      let start = blocks[next].firstSortedIndex { $0.upperBound >= range.lowerBound - 1 }
      let end = blocks[next].firstSortedIndex { $0.lowerBound - 1 > range.upperBound }
      if let start, start < end ?? blocks[next].count {
        let touched = start..<(end ?? blocks[next].count)
        low = min(low, blocks[next][start].lowerBound)
        high = max(high, blocks[next][touched.upperBound - 1].upperBound)
        blocks[next].removeSubrange(touched)
      }
      next += 1
    }
    blocks.replaceSubrange(first..<next, with: blocks[first..<next].filter { !$0.isEmpty })
    add(low...high)
  }

  /// Adds a range that does not touch others.
  private mutating func add(_ range: ClosedRange<Int64>) {
    guard !blocks.isEmpty else { return blocks.append([range]) }
    let block = blocks.lastSortedIndex { $0[0].lowerBound < range.lowerBound } ?? 0
    let place = blocks[block].firstSortedIndex { $0.lowerBound > range.lowerBound }
    blocks[block].insert(range, at: place ?? blocks[block].count)
    guard blocks[block].count > Self.blockLimit else { return }
    let rest = blocks[block].suffix(Self.blockLimit / 2)
    blocks[block].removeLast(rest.count)
    blocks.insert(Array(rest), at: block + 1)
  }

  /// The first block whose last range is not before the given seq, or the end.
  private func firstBlock(where isReached: (ClosedRange<Int64>) -> Bool) -> Int {
    blocks.firstSortedIndex { $0.last.map(isReached) ?? false } ?? blocks.count
  }
}
