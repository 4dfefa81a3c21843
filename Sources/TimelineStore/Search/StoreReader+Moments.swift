package import JSONCore
internal import Synchronization
package import Timelines

extension StoreReader {
  /// The moment after a seq, as far as it is known; `nil` beyond the timeline's ends.
  ///
  /// It reads the newest keyframe up to there and the patches after it, or starts from a cached
  /// state in between.
  package func moment(of lineage: Lineage, at seq: Int64) throws(StoreError) -> Moment? {
    guard seq >= 0, let piece = try piece(of: lineage, at: seq) else {
      return try momentBehindEnd(of: lineage, at: seq)
    }
    guard piece.seqs.contains(seq) else { return try loss(of: lineage, before: piece) }
    do {
      let entry = try piece.entry(at: seq)
      guard !entry.isThinned else { return .thinned(omitted: entry.omitted) }
      guard let keyframe = try piece.keyframe(upTo: seq) else { return .thinned(omitted: nil) }
      return .known(try snapshot(of: lineage, in: piece.row, at: seq, keyframe: keyframe))
    } catch {
      switch error.reason {
      case .damaged(let why): return .lost(LostRange(piece.seqs, why: why))
      // The entries before the one with the patch can be read.
      case .order(let error): return .lost(LostRange(min(error.seq, seq)...seq, why: "\(error)"))
      default: throw error
      }
    }
  }

  /// The newest keyframe up to a seq.
  package func newestKeyframe(
    of lineage: Lineage, upTo seq: Int64
  ) throws(StoreError) -> Int64? {
    try SearchSource(self, lineage).keyframe(upTo: seq)
  }

  /// The value at a path into `{"state":…,"outputs":…}` after a seq.
  ///
  /// At a keyframe it is read from the line, without parsing other values.
  package func value(
    of lineage: Lineage, at seq: Int64, _ path: Pointer
  ) throws(StoreError) -> StoredValue? {
    if let entry = try entry(of: lineage, at: seq), let state = entry.state {
      let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
      switch path.tokens.first {
      case "state": return .known(state[rest]?.value)
      case "outputs" where entry.outputState != nil:
        return .known(entry.outputState?[rest]?.value)
      default: break
      }
    }
    switch try moment(of: lineage, at: seq) {
    case nil: return nil
    case .known(let snapshot):
      let whole: JSON = ["state": snapshot.state, "outputs": snapshot.outputs]
      return .known(whole[path])
    case .thinned(let omitted): return .thinned(omitted: omitted)
    case .lost(let range): return .lost(range)
    }
  }

  private func loss(
    of lineage: Lineage, before piece: StoredPiece
  ) throws(StoreError) -> Moment? {
    let first = piece.seqs.lowerBound
    let before = try self.piece(of: lineage, at: first - 1, .backward)?.seqs.upperBound ?? -1
    let why = (try? piece.entry(at: first))?.gap?.why ?? "damaged"
    return .lost(LostRange(before + 1...first - 1, why: why))
  }

  private func momentBehindEnd(
    of lineage: Lineage, at seq: Int64
  ) throws(StoreError) -> Moment? {
    let record = try timeline(lineage.id)
    guard let gap = record.lostAtEnd, gap.lost > 0 else { return nil }
    let start = (record.last ?? -1) + 1
    let (end, overflow) = start.addingReportingOverflow(gap.lost - 1)
    guard !overflow, (start...end).contains(seq) else { return nil }
    return .lost(LostRange(start...end, why: gap.why))
  }

  /// Applies patches from a keyframe, or from a cached state after it, up to a seq of the same row.
  private func snapshot(
    of lineage: Lineage, in row: Int64, at seq: Int64, keyframe: Int64
  ) throws(StoreError) -> Snapshot {
    var reached: Int64
    var current: Snapshot
    var cost: Int
    if let kept = caches.states.withLock({ $0.newest(of: row, in: keyframe...seq) }) {
      (reached, current, cost) = kept
    } else {
      guard let entry = try entry(of: lineage, at: keyframe),
        let snapshot = Snapshot(keyframe: entry)
      else { throw StoreError(.damaged("the keyframe \(keyframe) is missing")) }
      (reached, current, cost) = (keyframe, snapshot, entry.line.range.count)
    }
    let start = reached
    var loss: StoreError?
    while reached < seq, loss == nil {
      let range = reached + 1...seq
      try forEachEntry(of: lineage, in: range, damaged: { loss = loss ?? $1 }) {
        entry throws(StoreError) in
        guard loss == nil, entry.seq == reached + 1 else { return }
        do throws(TimelineError) {
          try current.apply(entry)
        } catch {
          throw StoreError(.order(error))
        }
        reached = entry.seq
        cost += entry.patch?.range.count ?? 0
        // In a long run, cache states in between to shorten the way back.
        if reached < seq, (reached - start) % 4_096 == 0 {
          keep(current, of: row, at: reached, cost: cost)
        }
      }
      if reached < seq, loss == nil {
        loss = StoreError(.damaged("entry \(reached + 1) is missing"))
      }
    }
    if let loss { throw loss }
    keep(current, of: row, at: seq, cost: cost)
    return current
  }

  private func keep(_ snapshot: Snapshot, of row: Int64, at seq: Int64, cost: Int) {
    caches.states.withLock { $0.keep(snapshot, of: row, at: seq, cost: cost) }
  }

  /// Passes the entries of a range of seqs to a closure, in order.
  package func forEachEntry(
    of lineage: Lineage, in seqs: ClosedRange<Int64>,
    damaged: (ClosedRange<Int64>, StoreError) -> Void = { _, _ in },
    _ body: (Entry) throws(StoreError) -> Void
  ) throws(StoreError) {
    var next = seqs.lowerBound
    while next <= seqs.upperBound, let piece = try piece(of: lineage, at: next),
      piece.seqs.lowerBound <= seqs.upperBound
    {
      let wanted = piece.seqs.clamped(to: max(next, piece.seqs.lowerBound)...seqs.upperBound)
      if case .failure(let error) = piece.content {
        damaged(wanted, error)
      } else {
        for seq in wanted { try body(try piece.entry(at: seq)) }
      }
      guard piece.seqs.upperBound < .max else { return }
      next = piece.seqs.upperBound + 1
    }
  }
}

/// A value at a moment, as far as it is known.
package enum StoredValue: Hashable, Sendable {
  /// The value; `nil` if there is none at the path.
  case known(JSON?)
  /// The state was not captured.
  case thinned(omitted: Int64?)
  /// The entry was lost, with others.
  case lost(LostRange)
}
