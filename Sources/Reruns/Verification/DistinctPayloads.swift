internal import JSONCore
internal import Timelines

/// The other events of a candidate, from which a simpler event must stay as different as it was
/// recorded.
///
/// The test of a failure is also the test of its fix. If two ids that the app kept apart became
/// equal, a change that only refuses equal ids would pass that test.
struct DistinctPayloads {
  private let recorded: JSON
  private let others: [(recorded: JSON, now: JSON)]

  init(in candidate: Candidate, besides index: Int) {
    recorded = candidate.items[index].entry.event?.value ?? .null
    others = candidate.items.indices.compactMap { other in
      guard other != index, let event = candidate.items[other].entry.event?.value
      else { return nil }
      return (event, candidate.items[other].simpler?.value ?? event)
    }
  }

  /// Whether a simpler event has no value in common with another event where the recorded ones differ.
  func areKept(by simpler: JSON) -> Bool {
    !others.contains { other in
      Self.isMerged(recorded, other.recorded, simpler, other.now)
    }
  }

  private static func isMerged(_ left: JSON?, _ right: JSON?, _ newLeft: JSON?, _ newRight: JSON?)
    -> Bool
  {
    guard left != right else { return false }
    if newLeft == newRight { return true }
    switch (left, right, newLeft, newRight) {
    case (.object(let left), .object(let right), .object(let newLeft), .object(let newRight)):
      let keys = Set(left.map(\.key)).union(right.map(\.key))
      return keys.contains { isMerged(left[$0], right[$0], newLeft[$0], newRight[$0]) }
    case (.array(let left), .array(let right), .array(let newLeft), .array(let newRight)):
      // Elements of lists of other lengths have no counterpart.
      guard Set([left.count, right.count, newLeft.count, newRight.count]).count == 1
      else { return false }
      return left.indices.contains { isMerged(left[$0], right[$0], newLeft[$0], newRight[$0]) }
    default: return false
    }
  }
}
