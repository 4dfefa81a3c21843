/// Maps the entries of a branch to those of an ancestor.
///
/// ```swift compiled
/// func root(of seq: Int64, _ grandchild: Timeline, _ child: Timeline) -> Int64? {
///   let toRoot = ParentMap(grandchild).followed(by: ParentMap(child))
///   return toRoot[seq]  // nil for an entry that the root does not have
/// }
/// ```
public struct ParentMap: Hashable, Sendable {
  /// Before this seq, both have the same entries.
  private var start: Int64
  /// The ancestor's seqs from there.
  private var was: [Int64: Int64]

  /// Creates the map of a branch whose own entries begin at `start`.
  public init(start: Int64, was: [Int64: Int64]) {
    self.start = start
    self.was = was
  }

  /// Creates the map of a branch to its parent; for other timelines, the identity.
  ///
  /// Shared entries are lines of the parent, so a `was` in them refers to the parent's parent, and is
  /// ignored.
  public init(_ timeline: Timeline) {
    guard let parent = timeline.header.parent else {
      self.init(start: .max, was: [:])
      return
    }
    var was: [Int64: Int64] = [:]
    for entry in timeline.entries(from: parent.start, count: .max) { was[entry.seq] = entry.was }
    self.init(start: parent.start, was: was)
  }

  /// The ancestor's seq for a seq of the branch.
  public subscript(seq: Int64) -> Int64? { seq < start ? seq : was[seq] }

  /// The composition with a map to the ancestor's own ancestor.
  public func followed(by next: ParentMap) -> ParentMap {
    let shared = min(start, next.start)
    var was = self.was.compactMapValues { next[$0] }
    if shared < start {
      for (seq, parent) in next.was where seq < start { was[seq] = parent }
    }
    return ParentMap(start: shared, was: was)
  }
}
