/// A piece of a plan, for a process that has the parent's entries.
package enum ForkPiece: Sendable {
  /// Consecutive entries of the parent, with their own times.
  case run(ClosedRange<Int64>)
  /// An entry that differs from the parent.
  case step(PlannedStep)
}

extension ForkPlan {
  /// The pieces to compute, in order. Their number depends on the script.
  ///
  /// `entry` returns entries of the parent; of runs, only the last one is needed. The result is `nil`
  /// if a needed entry is missing.
  package func pieces<Failure: Error>(
    baseTime: Int64, entry: (Int64) throws(Failure) -> Entry?
  ) throws(Failure) -> [ForkPiece]? {
    var found: [ForkPiece] = []
    var steps = ForkSteps(self, baseTime: baseTime)
    for (piece, _) in pieces {
      guard let seqs = piece.run else {
        guard let step = try steps.next(entry: entry) else { return nil }
        found.append(.step(step))
        continue
      }
      guard let last = try entry(seqs.upperBound) else { return nil }
      found.append(.run(seqs))
      let count = seqs.upperBound - seqs.lowerBound + 1
      steps.skip(count, t: last.t)
    }
    return found
  }

  /// The range of the parent's entries in runs; `nil` if there are no runs.
  package var parentSeqs: ClosedRange<Int64>? {
    let runs = pieces.compactMap(\.piece.run)
    guard let low = runs.map(\.lowerBound).min(), let high = runs.map(\.upperBound).max() else {
      return nil
    }
    return low...high
  }
}

extension EditedOrder.Piece {
  fileprivate var run: ClosedRange<Int64>? {
    if case .run(let seqs) = self { seqs } else { nil }
  }
}
