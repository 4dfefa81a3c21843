internal import JSONCore
internal import Timelines
import Wire

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Reads how values change, using the index: runs whose entries do not affect a path are skipped.
///
/// A stretch with many more runs than a drawing has pixels is sampled, so that the work depends on
/// the number of buckets, not entries. In each bucket the search reads the first run, and then from
/// the last keyframe on: the value at the end of a bucket is always exact.
struct SeriesSearch: SteppedSearch {
  /// One requested path.
  private struct Part: Sendable {
    var path: Pointer
    var root: Int
    var rest: Pointer
    var hidden: [PostingKey]
    /// The version of the root whose value was recorded last.
    var version = -1
  }

  private let query: OverviewQuery
  private let exactRuns: Int64
  private let keys: Set<PostingKey>
  private var parts: [Part]
  private var tracks: [SeriesTrack]
  private var values: TrackedValues
  private var answer = SeriesAnswer()
  private var unknown: [Int] = []
  private var sampled: [Int] = []
  /// The remaining seqs of the stretch; `nil` before the first step.
  private var remaining: ClosedRange<Int64>?
  private var hasBegun = false
  /// The seqs to search for redacted paths.
  private var looked: ClosedRange<Int64>?
  private var samples = false
  /// Whether to read the next run whatever the index says.
  private var mustRead = false
  /// Whether entries before the next one were skipped.
  private var hasLeftOut = false
  /// The bucket of the last entry that was read, the last seq or time in it, and its last seq.
  private var bucket: (index: Int, end: Int64, lastSeq: Int64?)?

  /// The maximum number of runs to read before a stretch is sampled: the same as for an overview.
  static let exactRunLimit: Int64 = 256

  /// Prepares a search; `nil` if a path starts with neither `state` nor `outputs`, or all of them
  /// need too many keys of the index.
  init?(_ query: SeriesQuery, exactRuns: Int64 = exactRunLimit) {
    var roots: [ValueRoot] = []
    var parts: [Part] = []
    // All changes inside a root count: patches apply only if none before them is skipped.
    var keys: Set<PostingKey> = [.unknown, .gap]
    var hiddenCount = 0
    for path in query.paths {
      guard let (root, rest) = ValueRoot.split(path) else { return nil }
      // Elements of one array share its value.
      let place = roots.firstIndex(of: root) ?? roots.count
      if place == roots.count { roots.append(root) }
      keys.formUnion(PathKeys(root).all)
      let hidden = PathKeys(root, rest).hidden
      hiddenCount += hidden.count
      guard keys.count + hiddenCount <= ChangesSearch.keyLimit else { return nil }
      parts.append(
        Part(path: path, root: place, rest: Pointer(tokens: Array(rest)), hidden: hidden))
    }
    self.query = query.stretch
    self.exactRuns = exactRuns
    self.keys = keys
    self.parts = parts
    tracks = parts.map { _ in SeriesTrack() }
    values = TrackedValues(roots)
    answer.paths = parts.map { _ in SeriesAnswer.Path() }
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> SeriesAnswer? {
    if !hasBegun { try begin(source) }
    guard let remaining else { return try finish(source) }
    let (position, last) = (remaining.lowerBound, remaining.upperBound)
    let found = mustRead ? position : try source.firstPosting(keys, from: position, through: last)
    guard let candidate = found else { return try finish(source) }
    if let keyframe = try sample(from: candidate, through: last, source) {
      advance(to: keyframe)
      (mustRead, hasLeftOut) = (true, true)
      return nil
    }
    mustRead = false
    guard let place = try source.run(from: candidate), place.seqs.lowerBound <= last else {
      return try finish(source)
    }
    let seqs = max(candidate, place.seqs.lowerBound)...min(last, place.seqs.upperBound)
    if let run = try source.entries(of: place) {
      read(run, seqs, isIndexed: place.isIndexed)
    } else {
      let x = query.by == .seq ? seqs.lowerBound : max(query.from, place.times.lowerBound)
      let index = query.bucket(of: x) ?? bucket?.index ?? 0
      values.forget()
      unknown.append(index)
      recordValues(follows: false, in: index)
    }
    advance(to: seqs.upperBound + 1)
    return self.remaining == nil ? try finish(source) : nil
  }

  private mutating func advance(to seq: Int64) {
    guard let remaining else { return }
    self.remaining = seq <= remaining.upperBound ? seq...remaining.upperBound : nil
  }

  private mutating func finish(_ source: SearchSource) throws(StoreError) -> SeriesAnswer {
    // A run without an index may have been indexed between two steps, and then only its index shows
    // what was hidden.
    if let looked { try findHidden(looked, source) }
    var answer = answer
    for (index, track) in tracks.enumerated() where !answer.paths[index].isRedacted {
      answer.paths[index].points = track.points
    }
    answer.unknown = Self.ranges(unknown)
    answer.sampled = Self.ranges(sampled)
    return answer
  }

  private static func ranges(_ buckets: [Int]) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for bucket in buckets {
      if let last = ranges.last, last.upperBound + 1 >= bucket {
        ranges[ranges.count - 1] = last.lowerBound...max(bucket, last.upperBound)
      } else {
        ranges.append(bucket...bucket)
      }
    }
    return ranges
  }
}

// MARK: Start

extension SeriesSearch {
  /// Finds the seqs of the stretch, and the values before its first entry.
  private mutating func begin(_ source: SearchSource) throws(StoreError) {
    hasBegun = true
    guard let ends = source.ends else { return }
    let (first, last) = try seqs(ends, source)
    if first <= last, let run = try source.run(upTo: last), run.seqs.upperBound >= first {
      answer.last = min(last, run.seqs.upperBound)
      remaining = first...last
      samples = try source.runCount(in: first...last) > exactRuns
    }
    // A stretch without entries shows the value before it.
    let before = first > ends.lowerBound ? try source.run(upTo: first - 1) : nil
    let base = before.map { min($0.seqs.upperBound, first - 1) } ?? first
    try findRedacted(base...max(base, last), source)
    guard first > ends.lowerBound else {
      mustRead = true
      return
    }
    if let keyframe = try source.keyframe(upTo: first - 1) {
      try values.catchUp(from: keyframe, to: first, source)
    }
    recordValues(follows: false, in: 0)
  }

  /// The first and the last seq of the stretch; the last one is before the first if there is none.
  private func seqs(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> (first: Int64, last: Int64) {
    var (first, last) = (query.from, query.to)
    if query.by == .t {
      first = query.from > .min ? (try source.lastSeq(at: query.from - 1) ?? -1) + 1 : .min
      last = try source.lastSeq(at: query.to) ?? -1
    }
    first = min(max(first, ends.lowerBound), ends.upperBound + 1)
    return (first, min(last, ends.upperBound))
  }

  /// Finds redacted paths with the index.
  private mutating func findHidden(
    _ seqs: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    for (index, part) in parts.enumerated() where !answer.paths[index].isRedacted {
      for key in part.hidden {
        guard let found = try source.postings(key, from: seqs.lowerBound),
          found.lowerBound <= seqs.upperBound
        else { continue }
        answer.paths[index].isRedacted = true
      }
    }
  }

  /// The entry before the stretch counts: the stretch starts with its value.
  private mutating func findRedacted(
    _ seqs: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    looked = seqs
    try findHidden(seqs, source)
    let first = seqs.lowerBound
    // Entries without an index are read anyway.
    guard let place = try source.unindexed(from: first, through: first),
      place.seqs.contains(first), let run = try source.entries(of: place)
    else { return }
    run.bytes.withUnsafeBufferPointer { bytes in
      recordRedacted(LineFields(bytes, line: run.place(at: Int(first - run.first))), bytes)
    }
  }
}

// MARK: Sampling

extension SeriesSearch {
  /// Where to continue if the rest of the bucket is skipped: the last keyframe in it.
  private mutating func sample(
    from candidate: Int64, through last: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    guard samples, !mustRead, let bucket else { return nil }
    let end = try lastSeq(of: bucket, source)
    guard candidate < end, let keyframe = try source.keyframe(upTo: min(end, last)),
      keyframe > candidate
    else { return nil }
    sampled.append(bucket.index)
    return keyframe
  }

  private mutating func lastSeq(
    of bucket: (index: Int, end: Int64, lastSeq: Int64?), _ source: SearchSource
  ) throws(StoreError) -> Int64 {
    if query.by == .seq { return bucket.end }
    if let known = bucket.lastSeq { return known }
    let seq = try source.lastSeq(at: bucket.end) ?? -1
    self.bucket?.lastSeq = seq
    return seq
  }

  /// The seq or the time of an entry, depending on the unit of the stretch.
  private func place(
    of seq: Int64, _ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Int64 {
    query.by == .seq ? seq : bytes.integer(at: fields.t) ?? 0
  }
}

// MARK: Reading

extension SeriesSearch {
  private mutating func read(_ run: EntryRun, _ seqs: ClosedRange<Int64>, isIndexed: Bool) {
    run.bytes.withUnsafeBufferPointer { bytes in
      for seq in seqs {
        let fields = LineFields(bytes, line: run.place(at: Int(seq - run.first)))
        let x = place(of: seq, fields, bytes)
        if bucket.map({ x > $0.end }) ?? true {
          guard let index = query.bucket(of: x) else { continue }
          bucket = (index, query.end(ofBucketWith: x), nil)
        }
        guard let index = bucket?.index else { continue }
        let follows = values.isKnown && fields.gap.isEmpty && !hasLeftOut
        hasLeftOut = false
        _ = values.advance(fields, bytes, of: run.bytes)
        if !fields.gap.isEmpty || !values.isKnown { unknown.append(index) }
        if !isIndexed { recordRedacted(fields, bytes) }
        recordValues(follows: follows, in: index)
      }
    }
  }

  private mutating func recordValues(follows: Bool, in bucket: Int) {
    for index in parts.indices {
      let root = parts[index].root
      guard parts[index].version != values.versions[root] else { continue }
      parts[index].version = values.versions[root]
      let value = values.values[root].flatMap { $0[parts[index].rest] }
      tracks[index].record(
        values.isKnown ? SeriesValue(value) : .unknown, in: bucket, follows: follows)
    }
  }

  private mutating func recordRedacted(_ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !fields.redacted.isEmpty else { return }
    let pointers = bytes.pointers(at: fields.redacted)
    for (index, part) in parts.enumerated() where !answer.paths[index].isRedacted {
      answer.paths[index].isRedacted = pointers.contains { $0.isPrefix(of: part.path) }
    }
  }
}
