internal import Timelines

/// The shapes of the states of the timelines that are being written, within bounds.
///
/// What does not fit is not checked until its next keyframe. An earlier shape makes room only when its
/// timeline has been quiet for a while: otherwise, many large states would be read again for each of
/// their entries.
struct ShapeCache {
  /// What is known of a timeline between two of its runs.
  fileprivate struct Known {
    var shape: StateShape?
    /// Whether nothing is checked until the next keyframe, because the state is too large, costs too
    /// much, or cannot be read.
    var isUnchecked = false
    var work = ShapeWork()
    /// The commit that wrote the timeline last.
    var used: UInt64 = 0
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

  init(capacity: Int) { self.capacity = capacity }

  /// Checks the patches of a run that follows an entry of a timeline.
  ///
  /// - Parameters:
  ///   - last: the timeline's last entry before the run.
  ///   - rebuild: reads the shape after that entry from what is stored.
  mutating func check(
    _ run: DraftRun, of row: Int64, after last: Int64?, now: UInt64, rebuild: () -> StateShape?
  ) -> Verdict {
    var known = remove(row) ?? Known()
    known.used = now
    known.work.add(bytes: run.bytes.count)
    if run.gap != nil {
      known.shape = nil
      known.isUnchecked = false
    } else if !known.isUnchecked, known.shape == nil || known.shape?.seq != last {
      let needsState = run.facts.first.map { $0.hasPatch && !$0.isKeyframe } == true
      known.shape = needsState ? rebuild() : nil
      known.isUnchecked = needsState && known.shape == nil
    }
    let verdict = known.check(run)
    if verdict.error != nil { known.shape = nil }
    keep(known, of: row)
    return verdict
  }

  mutating func forget(_ row: Int64) { _ = remove(row) }

  private mutating func remove(_ row: Int64) -> Known? {
    guard let known = rows.removeValue(forKey: row) else { return nil }
    byteCount -= known.shape?.byteCount ?? 0
    return known
  }

  private mutating func keep(_ known: Known, of row: Int64) {
    var known = known
    if let shape = known.shape {
      if byteCount + shape.byteCount > capacity { removeQuiet(known.used) }
      if byteCount + shape.byteCount > capacity {
        known.shape = nil
        known.isUnchecked = true
      }
    }
    guard known.shape != nil || known.isUnchecked || !known.work.isFull else { return }
    byteCount += known.shape?.byteCount ?? 0
    rows[row] = known
  }

  private mutating func removeQuiet(_ now: UInt64) {
    for (row, known) in rows where known.shape != nil && known.used + Self.quietCommits < now {
      forget(row)
    }
  }
}

extension ShapeCache.Known {
  /// Applies the patches of a run, up to the first that does not apply.
  fileprivate mutating func check(_ run: DraftRun) -> ShapeCache.Verdict {
    for (index, fact) in run.facts.enumerated() {
      let start = index == 0 ? 0 : run.facts[index - 1].end + 1
      let seq = run.first &+ Int64(index)
      if fact.hasPatch {
        do throws(ShapeFailure) {
          try shape?.apply(fact, line: start, of: run.bytes, seq: seq, work: &work)
        } catch {
          switch error {
          case .wrong(let error): return ShapeCache.Verdict(count: index, error: error)
          case .tooMuchWork:
            shape = nil
            isUnchecked = true
          }
        }
      }
      if fact.isKeyframe, !work.isExhausted {
        shape = StateShape(keyframe: fact, line: start, of: run.bytes, seq: seq)
        isUnchecked = false
      } else if fact.isThinned {
        shape = nil
      }
    }
    return ShapeCache.Verdict(count: run.count)
  }
}
