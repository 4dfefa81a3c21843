public import JSONCore

/// What a branch shares with its parent, and what is to be computed for it.
///
/// A plan costs what its script says; the entries are looked at one by one as the branch is
/// computed, by ``ForkSteps``.
public struct ForkPlan: Sendable {
  /// The parent's last entry that took part.
  public let through: Int64

  /// What the branch begins with.
  public let base: Base

  /// The number of steps to compute.
  public let stepCount: Int64

  /// Why the branch ends before the script does: entries of the parent were lost before this one,
  /// so that nothing is known of what came to it.
  public let endedBeforeGapAt: Int64?

  /// The edits whose place is behind the branch's end; they change nothing.
  public let unreached: [Int]

  /// What is to be computed, and how many steps are before each piece.
  let pieces: [(piece: EditedOrder.Piece, offset: Int64)]

  /// Where single entries are among the pieces.
  private let placeOfEntry: [Int64: Int]
  /// Where runs are among the pieces; their seqs rise.
  private let runs: [Int]

  /// The moment before the first step.
  public enum Base: Sendable {
    /// The parent's, after this entry; everything through it is shared.
    case after(Int64)
    /// The branch shares nothing. Its entry 0 has the parent's state after this entry.
    case at(Int64)
    /// The branch shares nothing. Its entry 0 has this state in place of the parent's after that
    /// entry.
    case given(JSONSlice, at: Int64)
  }

  init(
    order: EditedOrder, base: Base, pieces: ArraySlice<EditedOrder.Piece>, endedBeforeGapAt: Int64?,
    unreached: [Int]
  ) throws(EditError) {
    through = order.shape.through
    self.base = base
    self.endedBeforeGapAt = endedBeforeGapAt
    self.unreached = unreached
    var offset: Int64 = 0
    var placed: [(EditedOrder.Piece, Int64)] = []
    var entries: [Int64: Int] = [:]
    var runs: [Int] = []
    for piece in pieces {
      var count: Int64 = 1
      switch piece {
      case .run(let range):
        runs.append(placed.count)
        count = range.upperBound - range.lowerBound + 1
      case .entry(let seq, _, _, _): entries[seq] = placed.count
      case .new: break
      case .loss: continue
      }
      placed.append((piece, offset))
      let (sum, overflow) = offset.addingReportingOverflow(count)
      guard !overflow else { throw EditError(.tooMany) }
      offset = sum
    }
    self.pieces = placed
    placeOfEntry = entries
    self.runs = runs
    stepCount = offset
    // One more than any seq of the branch, so that nobody has to ask again.
    guard base.seq < .max, !(base.seq + 1).addingReportingOverflow(offset).overflow else {
      throw EditError(.tooMany)
    }
  }
}

extension ForkPlan.Base {
  /// The parent's entry that the moment belongs to.
  public var seq: Int64 {
    switch self {
    case .after(let seq), .at(let seq), .given(_, let seq): seq
    }
  }

  /// The first seq that is the branch's own.
  fileprivate var start: Int64 {
    if case .after(let seq) = self { seq + 1 } else { 0 }
  }
}

extension ForkPlan {
  /// The first seq that the branch does not share with the parent.
  ///
  /// It is the first step's, or that of the new entry 0, before which nothing is shared.
  public var start: Int64 { base.start }

  /// The first step's seq.
  public var firstStep: Int64 { sharesPrefix ? start : 1 }

  /// Whether there is anything that branch and parent share.
  public var sharesPrefix: Bool {
    if case .after = base { true } else { false }
  }

  /// Whether the branch is the parent, as far as it goes.
  public var changesNothing: Bool { base.isAfter(through) && stepCount == 0 }

  /// The branch's seq for an entry of the parent; `nil` when it is not in the branch.
  public func seq(ofParent seq: Int64) -> Int64? {
    if seq == base.seq { return sharesPrefix ? seq : 0 }
    if sharesPrefix, seq < base.seq { return seq }
    if let place = placeOfEntry[seq] { return firstStep + pieces[place].offset }
    let run = runs.lastSortedIndex(where: { run in
      pieces[run].piece.seqs.map { $0.lowerBound <= seq } ?? false
    })
    guard let run, case let (piece, offset) = pieces[runs[run]], let range = piece.seqs,
      range.contains(seq)
    else { return nil }
    return firstStep + offset + (seq - range.lowerBound)
  }

  /// What the branch's header says of its parent.
  public func parent(
    _ timeline: TimelineID, edits: EditScript, name: String? = nil
  ) -> Header.Parent {
    Header.Parent(timeline: timeline, through: through, start: start, edits: edits, name: name)
  }
}

extension ForkPlan.Base {
  fileprivate func isAfter(_ seq: Int64) -> Bool {
    if case .after(let own) = self { own == seq } else { false }
  }
}
