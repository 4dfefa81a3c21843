/// What a script needs to know of a timeline before it looks at any entry.
///
/// A store answers this from its indices, so that a script over millions of entries costs what the
/// script does.
public struct TimelineShape: Hashable, Sendable {
  /// The first seq.
  public var first: Int64
  /// The last seq that takes part.
  public var through: Int64
  /// The lost seqs, rising.
  public var lost: [ClosedRange<Int64>]
  /// The seqs of the entries that take their state as given, rising.
  public var fixedPoints: [Int64]

  /// A shape; `through` is an entry.
  public init(
    first: Int64, through: Int64, lost: [ClosedRange<Int64>] = [], fixedPoints: [Int64] = []
  ) {
    self.first = first
    self.through = through
    self.lost = lost
    self.fixedPoints = fixedPoints
  }

  /// The shape of a timeline, up to its last entry where `through` is not given.
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

  /// Whether a seq is an entry that takes part.
  func has(_ seq: Int64) -> Bool {
    seq >= first && seq <= through && lostRange(in: seq...seq) == nil
  }

  /// Whether an entry takes its state as given.
  func isFixedPoint(_ seq: Int64) -> Bool { fixedPoint(in: seq...seq) != nil }

  /// The first fixed point in a range.
  func fixedPoint(in range: ClosedRange<Int64>) -> Int64? {
    fixedPoints.firstSortedIndex(where: { $0 >= range.lowerBound }).map { fixedPoints[$0] }
      .flatMap { $0 <= range.upperBound ? $0 : nil }
  }

  /// The first stretch of lost seqs that has some in a range.
  func lostRange(in range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    lost.firstSortedIndex(where: { $0.upperBound >= range.lowerBound }).map { lost[$0] }
      .flatMap { $0.lowerBound <= range.upperBound ? $0 : nil }
  }
}
