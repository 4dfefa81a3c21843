// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

extension SearchSource {
  /// The first seq from another one on that has a posting under any of some keys, or is not
  /// indexed.
  ///
  /// A result for a key is valid until the search has passed it, so a key is looked up once per
  /// posting.
  func firstPosting(
    _ keys: Set<PostingKey>, from seq: Int64, through last: Int64
  ) throws(StoreError) -> Int64? {
    var first = Int64.max
    for key in keys where first > seq {
      if let known = ahead[key], known.asked <= seq, known.found >= seq {
        first = min(first, known.found)
        continue
      }
      let found = try postings(key, from: seq)?.lowerBound ?? .max
      ahead[key] = (seq, found)
      first = min(first, found)
    }
    // Checked last, because a tail that starts later need not be read.
    if let place = try unindexed(from: seq, through: min(first, last)) {
      first = min(first, max(seq, place.seqs.lowerBound))
    }
    return first <= last ? first : nil
  }

  /// The approximate number of sealed runs in a stretch.
  func runCount(in seqs: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for step in lineage.steps {
      guard let part = seqs.clamped(inside: step.seqs) else { continue }
      count += try reader.rows.chunkCount(of: step.row, in: part)
    }
    return count
  }

  /// The last seq whose entry is not later than a time; the seq before all others if there is none.
  func lastSeq(at time: Int64) throws(StoreError) -> Int64? {
    guard let ends else { return nil }
    // Times never decrease, so a binary search finds the first run that ends later.
    var (low, high) = (ends.lowerBound, ends.upperBound)
    var later: RunHead?
    while low <= high {
      let middle = low + (high - low) / 2
      guard let head = try run(from: middle) else { break }
      if try lastTime(of: head) > time {
        later = head
        high = min(middle, head.seqs.lowerBound) - 1
      } else {
        low = head.seqs.upperBound + 1
      }
    }
    guard let later else { return ends.upperBound }
    guard let entries = try entries(of: later) else { return later.seqs.lowerBound - 1 }
    return entries.bytes.withUnsafeBufferPointer { bytes in
      let seqs = later.seqs
      let first = seqs.first { entries.time(of: $0, bytes) > time }
      return (first ?? seqs.upperBound + 1) - 1
    }
  }

  private func lastTime(of head: RunHead) throws(StoreError) -> Int64 {
    // A branch may share only the start of a run.
    guard head.seqs != head.whole, let entries = try entries(of: head) else {
      return head.times.upperBound
    }
    return entries.bytes.withUnsafeBufferPointer { entries.time(of: head.seqs.upperBound, $0) }
  }
}

extension EntryRun {
  fileprivate func time(of seq: Int64, _ bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
    bytes.integer(at: LineFields(bytes, line: place(at: Int(seq - first))).t) ?? 0
  }
}
