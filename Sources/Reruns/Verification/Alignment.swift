internal import TimelineStore
internal import Timelines

/// Which entries of two timelines correspond.
///
/// Branches are aligned by the entries of their common ancestor; independent recordings, by their
/// events.
struct Alignment: Sendable {
  private let left: Side
  private let right: Side
  /// How independent recordings are aligned.
  private let events: EventAlignment?

  /// Whether the timelines have no common ancestor.
  var isByEvents: Bool { events != nil }

  /// The alignment of two timelines of a store.
  init(_ left: TimelineID, _ right: TimelineID, in reader: StoreReader) throws {
    let (ours, theirs) = (
      try Self.ancestors(of: left, reader), try Self.ancestors(of: right, reader)
    )
    let common = ours.first(where: theirs.contains)
    events = common == nil ? try EventAlignment(left, right, in: reader) : nil
    self.left = try Self.side(ours, to: common, reader)
    self.right = try Self.side(theirs, to: common, reader)
  }

  /// The right timeline's entry that corresponds to one of the left; `nil` if there is none.
  func right(ofLeft seq: Int64) -> Int64? {
    if let events { return events.right[seq] }
    return left.map[seq].flatMap(right.seq)
  }

  /// The left timeline's entry that corresponds to one of the right; `nil` if there is none.
  func left(ofRight seq: Int64) -> Int64? {
    if let events { return events.left[seq] }
    return right.map[seq].flatMap(left.seq)
  }

  /// A timeline and its path to the common ancestor.
  private struct Side: Sendable {
    /// Maps its seqs to the ancestor's.
    var map = ParentMap(start: .max, was: [:])
    /// The first seq that is not the ancestor's.
    var start = Int64.max
    var seqs: ClosedRange<Int64>?
    /// Its seqs by the ancestor's, from `start` on.
    var own: [Int64: Int64] = [:]

    func seq(of ancestor: Int64) -> Int64? {
      guard ancestor < start else { return own[ancestor] }
      return seqs?.contains(ancestor) == true ? ancestor : nil
    }
  }

  /// A timeline, its parent, the parent's parent, and so on. It terminates because a parent has a
  /// smaller row.
  private static func ancestors(
    of timeline: TimelineID, _ reader: StoreReader
  ) throws -> [TimelineID] {
    var line = [timeline]
    var record = try reader.timeline(timeline)
    while let parent = record.parent, parent.row < record.row {
      line.append(parent.id)
      record = try reader.timeline(parent.id)
    }
    return line
  }

  private static func side(
    _ line: [TimelineID], to common: TimelineID?, _ reader: StoreReader
  ) throws -> Side {
    var side = Side()
    if let timeline = line.first {
      let record = try reader.timeline(timeline)
      if let first = record.first, let last = record.last { side.seqs = first...last }
    }
    guard let common else { return side }
    for timeline in line {
      if timeline == common { break }
      side.start = min(side.start, try reader.timeline(timeline).parent?.start ?? .max)
      side.map = side.map.followed(by: try step(of: timeline, reader))
    }
    guard let seqs = side.seqs, side.start <= seqs.upperBound else { return side }
    for seq in max(side.start, seqs.lowerBound)...seqs.upperBound {
      // If an entry is recomputed twice, the first counts.
      if let key = side.map[seq], side.own[key] == nil { side.own[key] = seq }
    }
    return side
  }

  private static func step(of timeline: TimelineID, _ reader: StoreReader) throws -> ParentMap {
    let record = try reader.timeline(timeline)
    guard let parent = record.parent, let last = record.last, parent.start <= last else {
      return ParentMap(start: record.parent?.start ?? .max, was: [:])
    }
    var was: [Int64: Int64] = [:]
    let lineage = try reader.lineage(of: timeline)
    try reader.forEachEntry(of: lineage, in: parent.start...last) { entry in
      was[entry.seq] = entry.was
    }
    return ParentMap(start: parent.start, was: was)
  }
}
