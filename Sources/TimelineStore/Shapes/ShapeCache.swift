internal import Timelines

/// The shapes of the states of the timelines that are being written, within bounds.
///
/// What does not fit is not checked until its next keyframe. An earlier shape makes room only when its
/// timeline has been quiet for a while: otherwise, many large states would be read again for each of
/// their entries.
struct ShapeCache {
  private enum Known {
    case shape(StateShape, used: UInt64)
    /// Its state is too large, or cannot be read: nothing is checked until the next keyframe.
    case unchecked
  }

  /// What was found of a run.
  struct Verdict {
    /// How many entries apply, from the first on.
    var count: Int
    /// Why the next one does not.
    var error: TimelineError?
  }

  private var rows: [Int64: Known] = [:]
  private var byteCount = 0
  private let capacity: Int

  /// Commits after which a timeline counts as quiet.
  private static let quietCommits: UInt64 = 256

  /// Elements of arrays that may be moved aside before a state is given up. The text of patches does
  /// not bound this work, and it is done on the thread that writes for everybody: this is some
  /// hundred milliseconds.
  private static let shiftLimit = 1 << 26

  init(capacity: Int) { self.capacity = capacity }

  /// Checks the patches of a run that follows an entry of a timeline.
  ///
  /// - Parameters:
  ///   - last: the timeline's last entry before the run.
  ///   - rebuild: reads the shape after that entry from what is stored.
  mutating func check(
    _ run: DraftRun, of row: Int64, after last: Int64?, now: UInt64, rebuild: () -> StateShape?
  ) -> Verdict {
    let known = take(row)
    var isUnchecked = false
    var shape: StateShape?
    if run.gap == nil {
      switch known {
      case .shape(let found, _) where found.seq == last: shape = found
      case .unchecked: isUnchecked = true
      case .shape, nil:
        let needsState = run.facts.first.map { $0.hasPatch && !$0.isKeyframe } == true
        if needsState {
          shape = rebuild()
          isUnchecked = shape == nil
        }
      }
    }
    for (index, fact) in run.facts.enumerated() {
      let start = index == 0 ? 0 : run.facts[index - 1].end + 1
      let seq = run.first &+ Int64(index)
      if fact.hasPatch, shape != nil {
        do {
          try shape?.apply(fact, line: start, of: run.bytes, seq: seq)
        } catch {
          return Verdict(count: index, error: error)
        }
      }
      if fact.isKeyframe {
        shape = StateShape(keyframe: fact, line: start, of: run.bytes, seq: seq)
        isUnchecked = false
      } else if fact.isThinned {
        shape = nil
      }
    }
    keep(shape, isUnchecked: isUnchecked, of: row, now: now)
    return Verdict(count: run.count)
  }

  /// Forgets a timeline.
  mutating func remove(_ row: Int64) { _ = take(row) }

  private mutating func take(_ row: Int64) -> Known? {
    guard let known = rows.removeValue(forKey: row) else { return nil }
    if case .shape(let shape, _) = known { byteCount -= shape.byteCount }
    return known
  }

  private mutating func keep(
    _ shape: StateShape?, isUnchecked: Bool, of row: Int64, now: UInt64
  ) {
    guard let shape else {
      if isUnchecked { rows[row] = .unchecked }
      return
    }
    if byteCount + shape.byteCount > capacity { removeQuiet(now) }
    guard byteCount + shape.byteCount <= capacity, shape.shifted <= Self.shiftLimit else {
      rows[row] = .unchecked
      return
    }
    byteCount += shape.byteCount
    rows[row] = .shape(shape, used: now)
  }

  private mutating func removeQuiet(_ now: UInt64) {
    for (row, known) in rows {
      if case .shape(_, let used) = known, used + Self.quietCommits < now { remove(row) }
    }
  }
}
