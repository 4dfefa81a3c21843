internal import JSONCore
internal import TimelineStore
internal import Timelines

/// Which entries of two independent recordings correspond: those of a longest common subsequence of
/// their events, by name and payload.
///
/// It is exact while the recordings have few differences; see `SequenceAlignment`.
struct EventAlignment: Sendable {
  /// The right recording's entries by the left one's.
  private(set) var right: [Int64: Int64] = [:]
  /// The left recording's entries by the right one's.
  private(set) var left: [Int64: Int64] = [:]

  init(_ left: TimelineID, _ right: TimelineID, in reader: StoreReader) throws {
    var keys: [Key: Int] = [:]
    let ours = try Self.events(of: left, reader, &keys)
    let theirs = try Self.events(of: right, reader, &keys)
    for match in SequenceAlignment.matches(ours.map(\.key), theirs.map(\.key)) {
      let (one, other) = (ours[match.old].seq, theirs[match.new].seq)
      self.right[one] = other
      self.left[other] = one
    }
  }

  /// What makes entries correspond.
  private enum Key: Hashable {
    /// An event with this fingerprint.
    case event(UInt64)
    case start
    /// Another state was restored, or given.
    case given
  }

  private static func events(
    of timeline: TimelineID, _ reader: StoreReader, _ keys: inout [Key: Int]
  ) throws -> [(seq: Int64, key: Int)] {
    let record = try reader.timeline(timeline)
    guard let first = record.first, let last = record.last, first <= last else { return [] }
    var events: [(seq: Int64, key: Int)] = []
    var known = keys
    try reader.forEachEntry(of: try reader.lineage(of: timeline), in: first...last) { entry in
      let key: Key =
        entry.event.map { .event($0.fingerprint) } ?? (entry.seq == 0 ? .start : .given)
      let number = known[key] ?? known.count
      known[key] = number
      events.append((entry.seq, number))
    }
    keys = known
    return events
  }
}
