import JSONCore
import Timelines

extension Store {
  /// Refuses a header from outside whose parents, as far as the store has them, lead back to it.
  ///
  /// A branch that the daemon makes needs no check: its name is new and random.
  func checkAncestors(
    of header: Header, live: [TimelineID: LiveTimeline]
  ) throws(StoreError) {
    var seen: Set<TimelineID> = []
    var next = header.parent?.timeline
    while let ancestor = next {
      guard ancestor != header.timeline else { throw StoreError(.ownAncestor(header.timeline)) }
      // A store of an earlier build may contain a circle.
      guard seen.insert(ancestor).inserted else { return }
      guard seen.count <= Self.ancestorLimit else {
        throw StoreError(.manyAncestors(header.timeline, limit: Self.ancestorLimit))
      }
      next = try parent(of: ancestor, live)
    }
  }

  private func parent(
    of id: TimelineID, _ live: [TimelineID: LiveTimeline]
  ) throws(StoreError) -> TimelineID? {
    if let known = live[id] { return known.header.parent?.timeline }
    guard let stored = try rows?.storedEnd(of: id), !stored.isGone else { return nil }
    // A damaged header names no parent, and must not keep others from being recorded.
    return (try? Header(reading: stored.header))?.parent?.timeline
  }

  /// Each is read from the disk while the writer waits, so a thousand take some ten milliseconds.
  static var ancestorLimit: Int { 1_000 }
}

extension StoreError {
  /// Whether a header is refused for the parents that it names.
  var isAboutAncestors: Bool {
    switch reason {
    case .ownAncestor, .manyAncestors: true
    case .held, .leased, .newer, .folder, .openFolder, .database, .server, .refusing, .closed,
      .notFound,
      .gone,
      .conflict, .hasBranches, .noEntry, .order, .path, .longPath, .damaged, .file, .packing,
      .packed, .chunk:
      false
    }
  }
}
