package import JSONCore
package import Predicates
import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A query for entries that match a predicate.
package struct FindQuery: Sendable {
  package var predicate: Predicate
  /// The seq to start from.
  package var from: Int64
  package var isBackward: Bool
  package var limit: Int

  package init(_ predicate: Predicate, from: Int64, isBackward: Bool = false, limit: Int = 1) {
    self.predicate = predicate
    self.from = from
    self.isBackward = isBackward
    self.limit = limit
  }
}

/// The entries that match a predicate.
package struct FindAnswer: Hashable, Sendable {
  /// The entries, in the order of the search.
  package var seqs: [Int64] = []
  /// Where to continue; `nil` at the end.
  package var next: Int64?
  /// The seqs for which the recording does not decide, ascending, in the searched range, including
  /// lost entries.
  package var unknown: [ClosedRange<Int64>] = []
  /// The number of those entries.
  package var unknownCount: Int64 = 0
  /// The leaves because of which entries match, if the predicate asks for any.
  package var leaves: [Int64: Pointer] = [:]
}

package struct SearchProgress: Hashable, Sendable {
  /// The number of seqs that are done.
  package var done: Int64
  /// The total.
  package var of: Int64
}

/// Evaluates a predicate run by run, so that each read of the store is short.
///
/// It skips runs without entries that have a name the predicate requires. If the predicate reads
/// states, a backward search goes from keyframe to keyframe and forward in between, so that every
/// patch is applied once in either direction.
struct FindSearch: Sendable {
  private let query: FindQuery
  private let names: Set<String>?
  private var filter: EntryFilter
  private var position: Int64?
  private var start: Int64 = 0
  private var seqs: [Int64] = []
  private var unknown = SeqRanges()
  private var leaves: [Int64: Pointer] = [:]

  /// The seq up to which the filter has tracked the values.
  private var followed: Int64?

  init(_ query: FindQuery) {
    self.query = query
    filter = EntryFilter(query.predicate)
    let names = query.predicate.eventNames
    // A set treats canonically equivalent names as equal, which names beyond ASCII may be.
    let isPlain = names?.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } ?? false
    self.names = isPlain ? names : nil
  }

  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress {
    guard let ends, let position else { return SearchProgress(done: 0, of: 0) }
    return query.isBackward
      ? SearchProgress(done: start - position, of: start - ends.lowerBound + 1)
      : SearchProgress(done: position - start, of: ends.upperBound - start + 1)
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> FindAnswer? {
    guard let ends = source.ends, query.limit > 0 else { return answer(next: nil) }
    if position == nil {
      start = query.isBackward ? min(query.from, ends.upperBound) : max(query.from, 0)
      position = start
    }
    return query.isBackward ? try stepBack(ends, source) : try stepForward(ends, source)
  }

  private func answer(next: Int64?) -> FindAnswer {
    var answer = FindAnswer(
      seqs: seqs, next: next, unknown: SeqRanges.union(unknown.ranges),
      unknownCount: unknown.count)
    for seq in leaves.isEmpty ? [] : seqs { answer.leaves[seq] = leaves[seq] }
    return answer
  }

  // MARK: Forward

  private mutating func stepForward(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> FindAnswer? {
    guard let position, position <= ends.upperBound, let place = try source.run(from: position)
    else { return answer(next: nil) }
    if place.seqs.lowerBound > position { unknown.add(position...place.seqs.lowerBound - 1) }
    let range = max(position, place.seqs.lowerBound)...place.seqs.upperBound
    try read(place, range, ends, source)
    if seqs.count >= query.limit, let last = seqs.last {
      return answer(next: last < ends.upperBound ? last + 1 : nil)
    }
    self.position = range.upperBound + 1
    return nil
  }

  /// Evaluates the entries of a run in ascending order, until there are enough results.
  private mutating func read(
    _ place: RunHead, _ range: ClosedRange<Int64>, _ ends: ClosedRange<Int64>,
    _ source: SearchSource
  ) throws(StoreError) {
    let places = try candidates(in: place, source)
    if let places, places.isEmpty, !filter.needsValues { return }
    guard let run = try source.entries(of: place) else {
      filter.skip()
      followed = nil
      return unknown.add(range)
    }
    if filter.needsValues {
      try catchUp(to: range.lowerBound, place, run, source)
      askWithValues(run, range, places)
      if filter.mustBeginAgain {
        // There are no results since then.
        filter.beginAgain()
        followed = nil
        try read(place, range, ends, source)
      }
    } else {
      ask(run, range, places, mayHide: try source.mayHide(in: place))
    }
  }

  /// The indices of the entries of a run that may have one of the names; `nil` for all.
  private func candidates(
    in place: RunHead, _ source: SearchSource
  ) throws(StoreError) -> PlaceSet? {
    guard let names, place.isIndexed else { return nil }
    return try source.places(of: names, in: place)
  }

  /// Makes the filter track the values up to the entry before a seq.
  private mutating func catchUp(
    to seq: Int64, _ place: RunHead, _ run: EntryRun, _ source: SearchSource
  ) throws(StoreError) {
    guard followed != seq - 1 else { return }
    filter.beginAgain()
    followed = seq - 1
    guard seq > 0, let keyframe = try source.keyframe(upTo: seq - 1) else { return }
    var next = keyframe
    while next < seq, let place = try source.run(from: next), place.seqs.lowerBound < seq {
      if place.seqs.lowerBound > next { filter.skip() }
      let range = max(next, place.seqs.lowerBound)...min(seq - 1, place.seqs.upperBound)
      if let run = try source.entries(of: place) {
        run.bytes.withUnsafeBufferPointer { bytes in
          for seq in range { filter.pass(run, bytes, at: Int(seq - run.first)) }
        }
      } else {
        filter.skip()
      }
      next = place.seqs.upperBound + 1
    }
    if next < seq { filter.skip() }
  }

  private mutating func askWithValues(
    _ run: EntryRun, _ range: ClosedRange<Int64>, _ places: PlaceSet?
  ) {
    let (seqsBefore, unknownBefore) = (seqs.count, unknown)
    run.bytes.withUnsafeBufferPointer { bytes in
      for seq in range {
        let index = Int(seq - run.first)
        followed = seq
        if let places, !places.contains(UInt32(index)) {
          filter.pass(run, bytes, at: index)
        } else {
          let answer = filter.evaluate(run, bytes, at: index)
          add(answer, at: seq)
          if answer == .yes, let leaf = filter.leaf { leaves[seq] = leaf }
        }
        if filter.mustBeginAgain {
          seqs.removeLast(seqs.count - seqsBefore)
          unknown = unknownBefore
          return
        }
        if !query.isBackward, seqs.count >= query.limit { return }
      }
    }
  }

  private mutating func ask(
    _ run: EntryRun, _ range: ClosedRange<Int64>, _ places: PlaceSet?, mayHide: Bool
  ) {
    let (low, high) = (Int(range.lowerBound - run.first), Int(range.upperBound - run.first))
    run.bytes.withUnsafeBufferPointer { bytes in
      for step in 0...high - low {
        let index = query.isBackward ? high - step : low + step
        if let places, !places.contains(UInt32(index)) { continue }
        let answer = filter.answer(run, bytes, at: index, mayHide: mayHide)
        if answer == .no { continue }
        add(answer, at: run.first + Int64(index))
        if seqs.count >= query.limit { return }
      }
    }
  }

  private mutating func add(_ answer: Predicates.Answer, at seq: Int64) {
    switch answer {
    case .yes: seqs.append(seq)
    case .no: break
    case .unknown: unknown.add(seq)
    }
  }

  // MARK: Backward

  private mutating func stepBack(
    _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> FindAnswer? {
    guard let position, position >= 0 else { return answer(next: nil) }
    guard let place = try source.run(upTo: position) else {
      // Entries before the first one were lost.
      unknown.add(0...position)
      return answer(next: nil)
    }
    if place.seqs.upperBound < position { unknown.add(place.seqs.upperBound + 1...position) }
    let last = min(position, place.seqs.upperBound)
    if filter.needsValues {
      try readSegment(upTo: last, ends, source)
    } else {
      try read(place, place.seqs.lowerBound...last, ends, source)
      self.position = place.seqs.lowerBound - 1
    }
    guard seqs.count >= query.limit else { return nil }
    seqs.removeLast(seqs.count - query.limit)
    return answer(next: seqs.last.flatMap { $0 > ends.lowerBound ? $0 - 1 : nil })
  }

  /// Evaluates the entries from a keyframe up to a seq, and adds the results in descending order.
  private mutating func readSegment(
    upTo last: Int64, _ ends: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) {
    let keyframe = last > 0 ? try source.keyframe(upTo: last - 1) : nil
    let first = keyframe.map { $0 + 1 } ?? ends.lowerBound
    let (found, silent) = (seqs, unknown)
    (seqs, unknown) = ([], SeqRanges())
    var next = first
    while next <= last, let place = try source.run(from: next), place.seqs.lowerBound <= last {
      if place.seqs.lowerBound > next { unknown.add(next...place.seqs.lowerBound - 1) }
      let range = max(next, place.seqs.lowerBound)...min(last, place.seqs.upperBound)
      try read(place, range, ends, source)
      next = range.upperBound + 1
    }
    let (segment, segmentSilent) = (seqs, unknown)
    (seqs, unknown) = (found, silent)
    seqs.append(contentsOf: segment.reversed())
    let least = seqs.count >= query.limit ? seqs[query.limit - 1] : first
    for range in segmentSilent.ranges.reversed() where range.upperBound >= least {
      unknown.add(max(least, range.lowerBound)...range.upperBound)
    }
    position = first - 1
  }
}
