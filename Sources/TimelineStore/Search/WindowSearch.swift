package import JSONCore
package import Predicates
import Timelines
import Wire

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A query for a window of entries.
package struct WindowQuery: Sendable {
  /// The seq to start from.
  package var from: Int64
  /// The maximum number of entries.
  package var count: Int
  package var isBackward: Bool
  /// Include only entries that match it.
  package var filter: Predicate?
  /// The bytes above which a value is cut.
  package var cutBytes: Int

  package init(
    from: Int64, count: Int, isBackward: Bool = false, filter: Predicate? = nil,
    cutBytes: Int = ProtocolLimits().cutBytes
  ) {
    self.from = from
    self.count = count
    self.isBackward = isBackward
    self.filter = filter
    self.cutBytes = cutBytes
  }
}

package struct WindowAnswer: Sendable {
  /// The lines without full states, long values cut, in the order of the search.
  package var lines: [[UInt8]] = []
  package var seqs: [Int64] = []
  /// Where to continue; `nil` at the end.
  package var next: Int64?
  /// The seqs that the filter could not decide, ascending; empty without a filter.
  package var unknown: [ClosedRange<Int64>] = []
  /// The leaves because of which entries match the filter, if it asks for any.
  package var leaves: [Int64: Pointer] = [:]
}

/// Finds the entries of a window, and copies their lines.
struct WindowSearch: Sendable {
  private let query: WindowQuery
  private var find: FindSearch?
  private var answer = WindowAnswer()

  init(_ query: WindowQuery) {
    self.query = query
    if let filter = query.filter {
      find = FindSearch(
        FindQuery(filter, from: query.from, isBackward: query.isBackward, limit: query.count))
    }
  }

  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress {
    find?.progress(ends) ?? SearchProgress(done: 0, of: 0)
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> WindowAnswer? {
    guard query.count > 0, let ends = source.ends else { return answer }
    if find != nil {
      guard let found = try find?.step(source) else { return nil }
      answer.next = found.next
      answer.unknown = found.unknown
      answer.leaves = found.leaves
      try copy(found.seqs, source)
    } else {
      try read(ends, source)
    }
    return answer
  }

  /// Copies the entries from a seq on, without a filter.
  private mutating func read(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    var seq = query.isBackward ? min(query.from, ends.upperBound) : max(query.from, 0)
    while answer.seqs.count < query.count,
      let place = try query.isBackward ? source.run(upTo: seq) : source.run(from: seq)
    {
      let low = query.isBackward ? place.seqs.lowerBound : max(seq, place.seqs.lowerBound)
      let high = query.isBackward ? min(seq, place.seqs.upperBound) : place.seqs.upperBound
      let count = min(high - low, Int64(query.count - answer.seqs.count - 1)) + 1
      let taken = query.isBackward ? high - count + 1...high : low...low + count - 1
      try copy(query.isBackward ? taken.reversed() : Array(taken), source)
      if query.isBackward {
        guard taken.lowerBound > ends.lowerBound else { return }
        seq = taken.lowerBound - 1
      } else {
        guard taken.upperBound < ends.upperBound else { return }
        seq = taken.upperBound + 1
      }
    }
    // With fewer than the maximum, the timeline has ended.
    if answer.seqs.count >= query.count { answer.next = seq }
  }

  /// Copies entries; those of unreadable runs are reported as unknown.
  private mutating func copy(_ seqs: [Int64], _ source: SearchSource) throws(StoreError) {
    let cut = LineCut(limit: query.cutBytes)
    var place: RunHead?
    var run: EntryRun?
    var damaged: [ClosedRange<Int64>] = []
    for seq in seqs {
      if place?.seqs.contains(seq) != true {
        place = try source.run(from: seq)
        run = if let place { try source.entries(of: place) } else { nil }
      }
      guard let run else {
        damaged.append(seq...seq)
        continue
      }
      answer.seqs.append(seq)
      answer.lines.append(
        run.bytes.withUnsafeBufferPointer { cut.cut($0, line: run.place(at: Int(seq - run.first))) }
      )
    }
    if !damaged.isEmpty { answer.unknown = SeqRanges.union(answer.unknown + damaged) }
  }
}
