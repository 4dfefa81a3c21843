internal import TimelineStore
internal import Timelines

/// Which entries of two timelines belong together.
///
/// Branches are aligned by the entries of the ancestor that both come from; timelines that have none
/// in common, by their seqs.
struct Alignment: Sendable {
  private var left: ParentMap
  private var right: ParentMap

  /// The alignment of two timelines of a store.
  init(_ left: TimelineID, _ right: TimelineID, in reader: StoreReader) throws {
    let (ours, theirs) = (
      try Self.ancestors(of: left, reader), try Self.ancestors(of: right, reader)
    )
    guard let common = ours.first(where: theirs.contains) else {
      self.left = ParentMap(start: .max, was: [:])
      self.right = self.left
      return
    }
    self.left = try Self.map(ours, to: common, reader)
    self.right = try Self.map(theirs, to: common, reader)
  }

  /// The ancestor's entry that an entry of the left timeline recomputes.
  func left(_ seq: Int64) -> Int64? { left[seq] }

  /// The ancestor's entry that an entry of the right timeline recomputes.
  func right(_ seq: Int64) -> Int64? { right[seq] }

  /// A timeline, its parent, the parent's parent and so on.
  private static func ancestors(
    of timeline: TimelineID, _ reader: StoreReader
  ) throws -> [TimelineID] {
    var line = [timeline]
    while let last = line.last, let parent = try reader.timeline(last).parent?.id {
      line.append(parent)
    }
    return line
  }

  private static func map(
    _ line: [TimelineID], to common: TimelineID, _ reader: StoreReader
  ) throws -> ParentMap {
    var map = ParentMap(start: .max, was: [:])
    for timeline in line {
      if timeline == common { break }
      map = map.followed(by: try step(of: timeline, reader))
    }
    return map
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
