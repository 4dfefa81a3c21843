/// A piece of a plan, for whoever has the parent's entries at hand.
package enum ForkPiece: Sendable {
  /// Entries of the parent, one after the other, with their own times.
  case run(ClosedRange<Int64>)
  /// An entry that is not as it was there.
  case step(PlannedStep)
}

extension ForkPlan {
  /// The pieces that are to be computed, in order; they cost what the script says.
  ///
  /// `entry` answers the parent's entries, of runs only the last one; the answer is `nil` where one
  /// that is needed is not there.
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

  /// The parent's entries that runs take, from the first to the last; `nil` where there are none.
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
