package import JSONCore
package import Timelines

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Consecutive entries as lines, each with its line feed.
///
/// The unit of storing and reading: a row of the tail and a chunk hold one run each. A `gap` always
/// starts a new run, so the entry at `index` has the seq `first + index`.
package struct EntryRun: Sendable {
  /// The seq of the first entry.
  package let first: Int64

  /// The lines.
  package let bytes: [UInt8]

  /// Where each line ends: the index of its line feed.
  package let ends: [Int]

  /// How many entries there are; at least one.
  package var count: Int { ends.count }

  /// The seq of the last entry.
  package var last: Int64 { first + Int64(ends.count) - 1 }

  package var seqs: ClosedRange<Int64> { first...last }

  init(first: Int64, bytes: [UInt8], ends: [Int]) {
    self.first = first
    self.bytes = bytes
    self.ends = ends
  }

  /// Splits stored lines; `nil` if they do not end with a line feed, or one is empty.
  package init?(first: Int64, lines bytes: [UInt8]) {
    var ends: [Int] = []
    // Entries are rarely shorter; growing the array would cost more than the search.
    ends.reserveCapacity(bytes.count / 64)
    bytes.withUnsafeBytes { buffer in
      var start = 0
      // Safe: `memchr` reads only the rest of the buffer and returns a place in it.
      while let base = buffer.baseAddress, start < buffer.count,
        let found = memchr(base + start, 0x0A, buffer.count - start)
      {
        let end = base.distance(to: found)
        guard end > start else { return ends = [] }
        ends.append(end)
        start = end + 1
      }
    }
    guard let last = ends.last, last == bytes.count - 1,
      !first.addingReportingOverflow(Int64(ends.count)).overflow
    else { return nil }
    self.init(first: first, bytes: bytes, ends: ends)
  }

  /// The range of a line, without its line feed.
  package func place(at index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]
  }

  /// A line without its line feed.
  package func line(at index: Int) -> ArraySlice<UInt8> { bytes[place(at: index)] }

  /// A line as JSON.
  ///
  /// It is not validated again: every line was parsed as an entry before it was stored, and a
  /// checksum protects stored bytes.
  package func slice(at index: Int) -> JSONSlice {
    JSONSlice(checkedBefore: bytes, at: place(at: index))
  }

  /// The entry at an index, which shares the run's bytes.
  package func entry(at index: Int) throws(EntryError) -> Entry {
    try Entry(reading: slice(at: index))
  }

  /// Whether every line is an entry with the expected seq.
  var holdsEntries: Bool {
    (0..<count).allSatisfy { index in
      guard (try? JSONSlice(validating: Array(line(at: index)))) != nil,
        let entry = try? entry(at: index)
      else { return false }
      return entry.seq == first + Int64(index)
    }
  }

  /// The index of a seq, when the run has it.
  package func index(of seq: Int64) -> Int? {
    seqs.contains(seq) ? Int(seq - first) : nil
  }
}

extension EntryRun {
  /// Consecutive runs as one.
  init?(joining runs: [EntryRun]) {
    guard let first = runs.first else { return nil }
    guard runs.count > 1 else {
      self = first
      return
    }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    bytes.reserveCapacity(runs.reduce(0) { $0 + $1.bytes.count })
    for run in runs {
      let offset = bytes.count
      for end in run.ends { ends.append(offset + end) }
      bytes.append(contentsOf: run.bytes)
    }
    self.init(first: first.first, bytes: bytes, ends: ends)
  }
}
