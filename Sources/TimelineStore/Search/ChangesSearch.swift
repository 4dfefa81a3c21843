package import JSONCore
internal import Timelines

/// Asks which entries changed the value at a path.
package struct ChangesQuery: Sendable {
  /// The path, `/state/…` or `/outputs/…`.
  package var path: Pointer
  /// Which way, and from where.
  package var range: Range
  /// How many at most.
  package var limit: Int
  /// A key, such as `id`, by whose value the elements that the path leads through are followed. They
  /// are those that the path leads through at the seq from which the search goes.
  package var follow: String?

  /// Which entries are looked at.
  package enum Range: Sendable {
    /// Those before a seq, the latest first.
    case before(Int64)
    /// Those after a seq, the earliest first.
    case after(Int64)
  }

  /// A question.
  package init(path: Pointer, _ range: Range, limit: Int, follow: String? = nil) {
    self.path = path
    self.range = range
    self.limit = limit
    self.follow = follow
  }
}

/// The entries that changed a value.
///
/// The value differs before and after them. Nothing is before the first entry of all, so that it
/// changes nothing. Of a value that a stand-in replaces, or that is part of one, nobody knows what
/// became of it; a stand-in inside a value is taken for what it is.
package struct ChangesAnswer: Sendable {
  /// An entry with the values around it; `nil` where nothing is.
  package struct Change: Hashable, Sendable {
    /// The entry.
    package var seq: Int64
    /// The value before.
    package var old: JSON?
    /// The value after.
    package var new: JSON?
  }

  /// The entries, in the order of the search.
  package var changes: [Change] = []
  /// The seqs of which nobody knows, rising, among what was searched.
  package var unknown: [ClosedRange<Int64>] = []
  /// Whether there are more.
  package var hasMore = false
}

/// Finds changes by the index: it names the entries that can have changed the value, and only of
/// those the values are read, together with what stands between them and the keyframe before.
///
/// Work goes on from step to step, so that a look at the store can end between two.
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

  /// The most keys of the index that a path may stand for. Each is looked up for each candidate, and
  /// nothing interrupts that. Eight names are 18 keys, an index below 1,000 adds up to ten.
  static let keyLimit = 2_048

  /// Prepares a search; `nil` when the path begins with neither `state` nor `outputs`, or leads through
  /// so many elements of arrays that it is beyond `keyLimit`.
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

  /// Goes one step further; answers when the search is done.
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

  /// Finds where to begin, and the elements to follow there.
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
      // Something touched the value, and what was before is not known.
      self.position = candidate - 1
      if try isNoted(candidate, source) { unknown.add(candidate) }
      return false
    }
    let history = try ValueHistory(of: root, after: keyframe, through: candidate, in: source)
    for range in history.damaged { unknown.add(range) }
    for step in history.steps.reversed() {
      note(step)
      if found.changes.count > query.limit { return true }
    }
    if path.key != nil { keys = path.keys(root, when: history.start) }
    self.position = keyframe ?? candidate - 1
    return false
  }

  /// The last entry up to a seq that can have changed the value.
  private func candidate(
    upTo seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    var latest = try source.unindexed(upTo: seq).map { min(seq, $0.seqs.upperBound) }
    for key in keys.all where latest != seq {
      if let noted = try source.noted(key, upTo: seq) {
        latest = max(latest ?? noted.upperBound, noted.upperBound)
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
      if try isNoted(candidate, source) { unknown.add(candidate) }
      return false
    }
    let last = place.seqs.upperBound
    let history = try ValueHistory(of: root, after: keyframe, through: last, in: source)
    for range in history.damaged { unknown.add(range) }
    for step in history.steps where step.seq >= position {
      note(step)
      if found.changes.count > query.limit { return true }
    }
    if path.key != nil { keys = path.keys(root, when: history.end) }
    self.position = last + 1
    return false
  }

  /// The first entry from a seq on that can have changed the value.
  private func candidate(
    from seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    var first = try source.unindexed(from: seq).map { max(seq, $0.seqs.lowerBound) }
    for key in keys.all where first != seq {
      if let noted = try source.noted(key, from: seq) {
        first = min(first ?? noted.lowerBound, noted.lowerBound)
      }
    }
    return first
  }

  // MARK: Both

  /// The keyframe from which the value before an entry can be told; not known, when entries between
  /// were thinned or lost.
  private func base(
    of candidate: Int64, _ source: SearchSource
  ) throws(StoreError) -> (keyframe: Int64?, isKnown: Bool) {
    guard candidate > .min, let keyframe = try source.keyframe(upTo: candidate - 1) else {
      return (nil, true)
    }
    if let thinned = try source.noted(.unknown, upTo: candidate - 1),
      thinned.upperBound > keyframe
    {
      return (keyframe, false)
    }
    if let gap = try source.noted(.gap, upTo: candidate), gap.upperBound > keyframe {
      return (keyframe, false)
    }
    return (keyframe, true)
  }

  /// Whether the entry really is a candidate, or stands in a run without index, which tells nothing.
  private func isNoted(
    _ candidate: Int64, _ source: SearchSource
  ) throws(StoreError) -> Bool {
    for key in keys.all {
      if let noted = try source.noted(key, upTo: candidate), noted.upperBound == candidate {
        return true
      }
    }
    // Without index the entry itself tells.
    guard let place = try source.unindexed(upTo: candidate), place.seqs.contains(candidate) else {
      return false
    }
    let history = try ValueHistory(of: root, after: nil, through: candidate, in: source)
    return !history.steps.isEmpty
  }

  private mutating func note(_ step: ValueHistory.Step) {
    // Nothing is before the first entry of all.
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

  /// Adds what was thinned or lost among what was searched.
  private mutating func findUnknown(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    guard let searched = searchedRange(ends) else { return }
    let silent = try SilentSeqs(in: searched, of: query.path, hidden: keys.hidden, source)
    let touched = unknown.ranges.compactMap { $0.clamped(inside: searched) }
    found.unknown = SeqRanges.union(touched + silent.ranges)
  }

  /// From where the search began to the last entry that is answered.
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
  /// The part in another range.
  func clamped(inside other: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let low = Swift.max(lowerBound, other.lowerBound)
    let high = Swift.min(upperBound, other.upperBound)
    return low <= high ? low...high : nil
  }
}
