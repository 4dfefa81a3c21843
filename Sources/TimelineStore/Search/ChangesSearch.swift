package import JSONCore
internal import Timelines

/// A query for the entries that changed the value at a path.
package struct ChangesQuery: Sendable {
  /// The path, `/state/…` or `/outputs/…`.
  package var path: Pointer
  /// The direction and the start.
  package var range: Range
  package var limit: Int
  /// A key, such as `id`, by whose value to follow the array elements that the path leads through.
  /// They are the elements on the path at the seq where the search starts.
  package var follow: String?

  package enum Range: Sendable {
    /// Those before a seq, the latest first.
    case before(Int64)
    /// Those after a seq, the earliest first.
    case after(Int64)
  }

  package init(path: Pointer, _ range: Range, limit: Int, follow: String? = nil) {
    self.path = path
    self.range = range
    self.limit = limit
    self.follow = follow
  }
}

/// The entries that changed a value.
///
/// The value differs before and after them. The first entry changes nothing, because nothing
/// precedes it. The changes of a value that a stand-in replaces or contains are unknown; a stand-in
/// inside a value is compared like a value.
package struct ChangesAnswer: Sendable {
  /// An entry with the values around it; `nil` where there is none.
  package struct Change: Hashable, Sendable {
    package var seq: Int64
    package var old: JSON?
    package var new: JSON?
  }

  /// The entries, in the order of the search.
  package var changes: [Change] = []
  /// The seqs whose changes are unknown, ascending, in the searched range.
  package var unknown: [ClosedRange<Int64>] = []
  package var hasMore = false
}

/// Finds changes with the index: it names the candidates, and only their values are read, together
/// with the entries since the keyframe before.
///
/// It proceeds in steps, so that each read of the store is short.
struct ChangesSearch: Sendable {
  private let query: ChangesQuery
  private let root: ValueRoot
  private let rest: ArraySlice<String>
  private var path: FollowedPath
  private var keys: PathKeys
  private var position: Int64?
  private var found = ChangesAnswer()
  private var unknown = SeqRanges()
  private var searched: ClosedRange<Int64>?

  /// The maximum number of index keys for a path. Each is looked up for each candidate, without
  /// interruption. Eight names are 18 keys, an index below 1,000 adds up to ten.
  static let keyLimit = 2_048

  /// Prepares a search; `nil` if the path starts with neither `state` nor `outputs`, or leads
  /// through so many array elements that it exceeds `keyLimit`.
  init?(_ query: ChangesQuery) {
    guard let (root, rest) = ValueRoot.split(query.path),
      PathKeys(root, rest).all.count <= Self.keyLimit
    else { return nil }
    self.query = query
    self.root = root
    self.rest = rest
    path = FollowedPath(rest)
    keys = PathKeys(root, rest)
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> ChangesAnswer? {
    guard let ends = source.ends else { return found }
    if position == nil { try begin(ends, source) }
    let isDone =
      switch query.range {
      case .before: try stepBack(ends, source)
      case .after: try stepForward(ends, source)
      }
    guard isDone else { return nil }
    if found.changes.count > query.limit {
      found.changes.removeLast(found.changes.count - query.limit)
      found.hasMore = true
    }
    try findUnknown(ends, source)
    return found
  }

  /// Finds the start, and the elements to follow there.
  private mutating func begin(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    let moment: Int64
    switch query.range {
    case .before(let seq):
      moment = min(seq == .min ? seq : seq - 1, ends.upperBound)
      position = moment
    case .after(let seq):
      moment = max(seq, ends.lowerBound)
      position = seq == .max ? seq : max(seq + 1, ends.lowerBound)
    }
    if let key = query.follow, ends.contains(moment) {
      let keyframe = try source.keyframe(upTo: moment)
      let history = try ValueHistory(of: root, after: keyframe, through: moment, in: source)
      path = FollowedPath(rest, following: key, in: history.end)
      keys = path.keys(root, when: history.end)
    }
  }

  // MARK: Backward

  private mutating func stepBack(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> Bool {
    guard let position, position >= ends.lowerBound,
      let candidate = try candidate(upTo: position, source)
    else { return true }
    let (keyframe, isKnown) = try base(of: candidate, source)
    guard isKnown else {
      // A change affected the value, and the value before is not known.
      self.position = candidate - 1
      if try isCandidate(candidate, source) { unknown.add(candidate) }
      return false
    }
    let history = try ValueHistory(of: root, after: keyframe, through: candidate, in: source)
    for range in history.damaged { unknown.add(range) }
    for step in history.steps.reversed() {
      add(step)
      if found.changes.count > query.limit { return true }
    }
    if path.key != nil { keys = path.keys(root, when: history.start) }
    self.position = keyframe ?? candidate - 1
    return false
  }

  /// The last entry up to a seq that may have changed the value.
  private func candidate(
    upTo seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    var latest = try source.unindexed(upTo: seq).map { min(seq, $0.seqs.upperBound) }
    for key in keys.all where latest != seq {
      if let found = try source.postings(key, upTo: seq) {
        latest = max(latest ?? found.upperBound, found.upperBound)
      }
    }
    return latest
  }

  // MARK: Forward

  private mutating func stepForward(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> Bool {
    guard let position, position <= ends.upperBound,
      let candidate = try candidate(from: position, source),
      let place = try source.run(from: candidate)
    else { return true }
    let (keyframe, isKnown) = try base(of: candidate, source)
    guard isKnown else {
      self.position = candidate + 1
      if try isCandidate(candidate, source) { unknown.add(candidate) }
      return false
    }
    let last = place.seqs.upperBound
    let history = try ValueHistory(of: root, after: keyframe, through: last, in: source)
    for range in history.damaged { unknown.add(range) }
    for step in history.steps where step.seq >= position {
      add(step)
      if found.changes.count > query.limit { return true }
    }
    if path.key != nil { keys = path.keys(root, when: history.end) }
    self.position = last + 1
    return false
  }

  /// The first entry from a seq on that may have changed the value.
  private func candidate(
    from seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    var first = try source.unindexed(from: seq).map { max(seq, $0.seqs.lowerBound) }
    for key in keys.all where first != seq {
      if let found = try source.postings(key, from: seq) {
        first = min(first ?? found.lowerBound, found.lowerBound)
      }
    }
    return first
  }

  // MARK: Both

  /// The keyframe from which to compute the value before an entry; unknown if entries in between
  /// were thinned or lost.
  private func base(
    of candidate: Int64, _ source: SearchSource
  ) throws(StoreError) -> (keyframe: Int64?, isKnown: Bool) {
    guard candidate > .min, let keyframe = try source.keyframe(upTo: candidate - 1) else {
      return (nil, true)
    }
    if let thinned = try source.postings(.unknown, upTo: candidate - 1),
      thinned.upperBound > keyframe
    {
      return (keyframe, false)
    }
    if let gap = try source.postings(.gap, upTo: candidate), gap.upperBound > keyframe {
      return (keyframe, false)
    }
    return (keyframe, true)
  }

  /// Whether the entry is really a candidate, or in a run without index, which says nothing.
  private func isCandidate(
    _ candidate: Int64, _ source: SearchSource
  ) throws(StoreError) -> Bool {
    for key in keys.all {
      if let found = try source.postings(key, upTo: candidate), found.upperBound == candidate {
        return true
      }
    }
    // Without an index, check the entry itself.
    guard let place = try source.unindexed(upTo: candidate), place.seqs.contains(candidate) else {
      return false
    }
    let history = try ValueHistory(of: root, after: nil, through: candidate, in: source)
    return !history.steps.isEmpty
  }

  private mutating func add(_ step: ValueHistory.Step) {
    // Nothing precedes the first entry.
    guard step.seq > 0 else { return }
    guard step.isKnown else { return unknown.add(step.seq) }
    let old = path.resolved(in: step.old).value
    let (tokens, new) = path.resolved(in: step.new)
    if !step.hidden.isEmpty {
      let place = Pointer(tokens: [root.side.token] + root.keys + tokens)
      if step.hidden.contains(where: { $0.isPrefix(of: place) }) { return unknown.add(step.seq) }
    }
    guard old != new else { return }
    found.changes.append(ChangesAnswer.Change(seq: step.seq, old: old, new: new))
  }

  /// Adds the thinned and lost entries in the searched range.
  private mutating func findUnknown(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    guard let searched = searchedRange(ends) else { return }
    let silent = try SilentSeqs(in: searched, of: query.path, hidden: keys.hidden, source)
    let touched = unknown.ranges.compactMap { $0.clamped(inside: searched) }
    found.unknown = SeqRanges.union(touched + silent.ranges)
  }

  /// The seqs from the start of the search to the last returned entry.
  private func searchedRange(_ ends: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let last = found.hasMore ? found.changes.last?.seq : nil
    switch query.range {
    case .before(let seq):
      guard seq > 0 else { return nil }
      let (low, high) = (last ?? 0, min(seq - 1, ends.upperBound))
      return low <= high ? low...high : nil
    case .after(let seq):
      let (low, high) = (max(0, seq == .max ? seq : seq + 1), last ?? ends.upperBound)
      return low <= high ? low...high : nil
    }
  }
}

extension ClosedRange<Int64> {
  func clamped(inside other: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let low = Swift.max(lowerBound, other.lowerBound)
    let high = Swift.min(upperBound, other.upperBound)
    return low <= high ? low...high : nil
  }
}
