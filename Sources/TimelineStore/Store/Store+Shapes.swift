internal import Timelines

extension Store {
  /// Returns how many entries of a run have patches that apply, from the first on.
  ///
  /// Imported entries were already applied when their file was read.
  func checkPatches(of run: DraftRun, for timeline: LiveTimeline) -> ShapeCache.Verdict {
    guard !timeline.isImporting else { return ShapeCache.Verdict(count: run.count) }
    return shapes.check(run, of: timeline.row, after: timeline.last, now: commits) {
      [rows] in
      guard timeline.isKnown, let keyframe = timeline.newest, let last = timeline.last else {
        return nil
      }
      // An unreadable state is not the recorder's fault.
      guard let reading = (rows as? any RowsForShapes)?.reading else { return nil }
      let reader = StoreReader(reading, caches: StoreCaches(StoreOptions()))
      return try? reader.shape(of: timeline.header.timeline, from: keyframe, through: last)
    }
  }
}

/// A writer whose thread may also read, to check patches against the states before them.
package protocol RowsForShapes: RowWriting {
  /// Reads what the writer has committed.
  var reading: any RowReading { get }
}

extension SQLiteRows: RowsForShapes {
  var reading: any RowReading { SQLiteReading(database) }
}

extension StoreReader {
  /// The maximum bytes of lines to read: some milliseconds of the writing thread.
  private static let rebuildBytes = 2 << 20

  /// The structure of a timeline's state after its last entry, read from its newest keyframe on;
  /// `nil` if that would take long.
  fileprivate func shape(
    of id: TimelineID, from keyframe: Int64, through last: Int64
  ) throws(StoreError) -> StateShape? {
    let lineage = try lineage(of: id)
    var shape: StateShape?
    var left = Self.rebuildBytes
    var work = ShapeWork()
    var next = keyframe
    while next <= last, let piece = try piece(of: lineage, at: next),
      piece.seqs.contains(next)
    {
      var run = DraftRun(first: next, gap: nil)
      for seq in next...min(last, piece.seqs.upperBound) {
        run.append(try piece.entry(at: seq))
      }
      left -= run.bytes.count
      guard left >= 0 else { return nil }
      var start = 0
      for (index, fact) in run.facts.enumerated() {
        let seq = next + Int64(index)
        if fact.isKeyframe {
          shape = StateShape(keyframe: fact, line: start, of: run.bytes, seq: seq)
        } else if (try? shape?.apply(fact, line: start, of: run.bytes, seq: seq, work: &work))
          == nil
        {
          return nil
        }
        start = fact.end + 1
      }
      next += Int64(run.count)
    }
    return shape?.seq == last ? shape : nil
  }
}
