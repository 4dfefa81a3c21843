public import JSONCore

/// A header and its entries.
///
/// A timeline is always consistent: ``append(_:)`` refuses entries that break a rule of the format, so
/// the state of every captured entry can be computed.
///
/// ```swift compiled
/// func lastState(_ header: Header, _ entries: [Entry]) throws -> JSON? {
///   var timeline = Timeline(header)
///   for entry in entries { try timeline.append(entry) }
///   return timeline.state(at: Int64(entries.count) - 1)
/// }
/// ```
/// To read many moments, use a ``TimelineCursor``.
public struct Timeline: Sendable {
  /// The header.
  public let header: Header

  /// The entries in order. Their seqs are consecutive, except for ``lost``.
  public private(set) var entries: [Entry] = []

  /// The indices of the keyframes.
  public private(set) var keyframes: [Int] = []

  /// The stretches of lost seqs.
  public private(set) var lost: [LostRange] = []

  /// The stretches of entries whose state was not captured.
  public private(set) var thinned: [ClosedRange<Int64>] = []

  /// The seqs of the entries whose state came from outside.
  public private(set) var fixedPoints: [Int64] = []

  /// The moment after the last entry, if known.
  public private(set) var end: Snapshot?

  /// The starts of stretches without a loss: the first seq and its index.
  private var stretches: [(seq: Int64, index: Int)] = []

  /// Creates a timeline without entries.
  public init(_ header: Header) {
    self.header = header
  }

  /// The first seq, if there is an entry.
  public var firstSeq: Int64? { entries.first?.seq }

  /// The last seq, if there is an entry.
  public var lastSeq: Int64? { entries.last?.seq }

  /// Adds an entry. If this throws, the timeline does not change.
  ///
  /// Does not check whether a keyframe agrees with the patches before it, because that takes time
  /// proportional to the state's size; see ``disagreements()``.
  public mutating func append(_ entry: Entry) throws(TimelineError) {
    try checkSeq(of: entry)
    if let last = entries.last, entry.t < last.t {
      throw TimelineError(.timeDecreases(from: last.t), at: entry.seq)
    }
    let isBaseKnown = end != nil && entry.gap == nil
    if let snapshot = Snapshot(keyframe: entry) {
      guard !isBaseKnown || entry.patch != nil else {
        throw TimelineError(.changesMissing, at: entry.seq)
      }
      end = snapshot
      keyframes.append(entries.count)
    } else if entry.isThinned {
      end = nil
      recordThinned(entry)
    } else {
      guard isBaseKnown else { throw TimelineError(.patchWithoutBase, at: entry.seq) }
      try patchEnd(with: entry)
    }
    if let gap = entry.gap {
      lost.append(LostRange(entry.seq - gap.lost...entry.seq - 1, why: gap.why))
    }
    if entries.isEmpty || entry.gap != nil { stretches.append((entry.seq, entries.count)) }
    if entry.isFixedPoint { fixedPoints.append(entry.seq) }
    entries.append(entry)
  }

  private func checkSeq(of entry: Entry) throws(TimelineError) {
    let last = entries.last?.seq ?? -1
    guard entry.seq > last else { throw TimelineError(.notAfter(last: last), at: entry.seq) }
    if let gap = entry.gap {
      // Not `last + lost + 1`, which could overflow.
      guard entry.seq - last - 1 == gap.lost else {
        let (sum, overflow) = (last + 1).addingReportingOverflow(gap.lost)
        throw TimelineError(
          .gapDoesNotFit(lost: gap.lost, expected: overflow ? nil : sum), at: entry.seq)
      }
    } else if entry.seq - 1 != last {
      throw TimelineError(.skips(expected: last + 1), at: entry.seq)
    }
  }

  private mutating func recordThinned(_ entry: Entry) {
    if entry.gap == nil, let range = thinned.last, range.upperBound == entry.seq - 1 {
      thinned[thinned.count - 1] = range.lowerBound...entry.seq
    } else {
      thinned.append(entry.seq...entry.seq)
    }
  }

  private mutating func patchEnd(with entry: Entry) throws(TimelineError) {
    // Moved out, so that patching in place does not copy.
    guard var snapshot = end else { return }
    end = nil
    do {
      try snapshot.apply(entry)
      end = snapshot
    } catch {
      // One of two patches may have been applied.
      var cursor = TimelineCursor(self)
      if let last = lastSeq, case .known(let snapshot)? = cursor.move(to: last) { end = snapshot }
      throw error
    }
  }
}

extension Timeline {
  /// The index of an entry by its seq.
  public func index(of seq: Int64) -> Int? {
    guard let place = stretches.lastSortedIndex(where: { $0.seq <= seq }) else { return nil }
    let stretch = stretches[place]
    let end = place + 1 < stretches.count ? stretches[place + 1].index : entries.count
    let (offset, overflow) = seq.subtractingReportingOverflow(stretch.seq)
    guard !overflow, offset < Int64(end - stretch.index) else { return nil }
    return stretch.index + Int(offset)
  }

  /// The entry with a seq.
  public subscript(seq: Int64) -> Entry? { index(of: seq).map { entries[$0] } }

  /// Entries from a seq, or from the first one after it, up to a limit.
  public func entries(from seq: Int64, count: Int) -> ArraySlice<Entry> {
    let start = entries.firstSortedIndex(where: { $0.seq >= seq }) ?? entries.count
    return entries[start...].prefix(max(0, count))
  }

  /// The moment after a seq; `nil` outside of the timeline.
  ///
  /// Reads one keyframe, and patches of at most about its size.
  public func moment(at seq: Int64) -> Moment? {
    var cursor = TimelineCursor(self)
    return cursor.move(to: seq)
  }

  /// The state after a seq, if known.
  public func state(at seq: Int64) -> JSON? { moment(at: seq)?.state }

  /// The outputs after a seq by name, if known.
  public func outputs(at seq: Int64) -> JSON? { moment(at: seq)?.outputs }
}

extension RandomAccessCollection where Index == Int {
  /// The first index for which a condition holds, if it also holds for all later ones.
  func firstSortedIndex(where isAfter: (Element) -> Bool) -> Int? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low < endIndex ? low : nil
  }

  /// The last index for which a condition holds, if it also holds for all earlier ones.
  func lastSortedIndex(where isBefore: (Element) -> Bool) -> Int? {
    let next = firstSortedIndex(where: { !isBefore($0) }) ?? endIndex
    return next > startIndex ? next - 1 : nil
  }
}
