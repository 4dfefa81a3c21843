/// The facts about a timeline that a script needs, without its entries.
///
/// A store reads this from its index, so that a script for millions of entries is cheap.
public struct TimelineShape: Hashable, Sendable {
  /// The first seq.
  public var first: Int64
  /// The last seq that is used.
  public var through: Int64
  /// The lost seqs, ascending.
  public var lost: [ClosedRange<Int64>]
  /// The seqs of the entries whose state came from outside, ascending.
  public var fixedPoints: [Int64]

  /// Creates a shape; `through` must be an entry.
  public init(
    first: Int64, through: Int64, lost: [ClosedRange<Int64>] = [], fixedPoints: [Int64] = []
  ) {
    self.first = first
    self.through = through
    self.lost = lost
    self.fixedPoints = fixedPoints
  }

  /// The shape of a timeline up to `through` (default: the last entry).
  public init(of timeline: Timeline, through: Int64? = nil) throws(EditError) {
    guard let first = timeline.firstSeq, let last = timeline.lastSeq else {
      throw EditError(.emptyTimeline)
    }
    let through = through ?? last
    guard timeline.index(of: through) != nil else {
      throw EditError(.throughDoesNotExist(through))
    }
    self.init(
      first: first, through: through, lost: timeline.lost.map(\.seqs),
      fixedPoints: timeline.fixedPoints)
  }

  /// Whether a seq is an entry that is used.
  func has(_ seq: Int64) -> Bool {
    seq >= first && seq <= through && lostRange(in: seq...seq) == nil
  }

  /// Whether an entry's state came from outside.
  func isFixedPoint(_ seq: Int64) -> Bool { fixedPoint(in: seq...seq) != nil }

  /// The first fixed point in a range.
  func fixedPoint(in range: ClosedRange<Int64>) -> Int64? {
    fixedPoints.firstSortedIndex(where: { $0 >= range.lowerBound }).map { fixedPoints[$0] }
      .flatMap { $0 <= range.upperBound ? $0 : nil }
  }

  /// The first stretch of lost seqs that overlaps a range.
  func lostRange(in range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    lost.firstSortedIndex(where: { $0.upperBound >= range.lowerBound }).map { lost[$0] }
      .flatMap { $0.lowerBound <= range.upperBound ? $0 : nil }
  }
}
