public import JSONCore

/// The entries that a branch shares with its parent, and those to compute.
///
/// The size of a plan depends on its script. ``ForkSteps`` reads the entries one by one while the
/// branch is computed.
public struct ForkPlan: Sendable {
  /// The last entry of the parent that is used.
  public let through: Int64

  /// The start of the branch.
  public let base: Base

  /// The number of steps to compute.
  public let stepCount: Int64

  /// The parent's entry at which the branch ends early, because entries before it were lost and its
  /// state is unknown.
  public let endedBeforeGapAt: Int64?

  /// The edits after the branch's end, which have no effect.
  public let unreached: [Int]

  /// The pieces to compute, and the number of steps before each piece.
  let pieces: [(piece: EditedOrder.Piece, offset: Int64)]

  /// The indexes of single entries among the pieces.
  private let placeOfEntry: [Int64: Int]
  /// The indexes of runs among the pieces, with ascending seqs.
  private let runs: [Int]

  /// The moment before the first step.
  public enum Base: Sendable {
    /// The parent's moment after this entry. All entries through it are shared.
    case after(Int64)
    /// The branch shares no entries. Its entry 0 has the parent's state after this entry.
    case at(Int64)
    /// The branch shares no entries. Its entry 0 has this state instead of the parent's state after that
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
    // One more than any seq of the branch.
    guard base.seq < .max, !(base.seq + 1).addingReportingOverflow(offset).overflow else {
      throw EditError(.tooMany)
    }
  }
}

extension ForkPlan.Base {
  /// The parent's entry of the moment.
  public var seq: Int64 {
    switch self {
    case .after(let seq), .at(let seq), .given(_, let seq): seq
    }
  }

  /// The first seq of the branch's own entries.
  fileprivate var start: Int64 {
    if case .after(let seq) = self { seq + 1 } else { 0 }
  }
}

extension ForkPlan {
  /// The first seq that the branch does not share with the parent.
  ///
  /// It is the seq of the first step, or 0 if no entry is shared.
  public var start: Int64 { base.start }

  /// The first step's seq.
  public var firstStep: Int64 { sharesPrefix ? start : 1 }

  /// Whether branch and parent share entries.
  public var sharesPrefix: Bool {
    if case .after = base { true } else { false }
  }

  /// Whether the branch does not differ from the parent.
  public var changesNothing: Bool { base.isAfter(through) && stepCount == 0 }

  /// The branch's seq for an entry of the parent; `nil` if it is not in the branch.
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

  /// The parent in the branch's header.
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
