package import Timelines

extension StoreReader {
  /// All timelines, the newest first.
  ///
  /// A start later than the last write counts as the time of the write: a recorder's clock that is
  /// ahead, or a false header, would otherwise stay the newest forever.
  package func timelines() throws(StoreError) -> [TimelineRecord] {
    try rows.timelines()
  }

  /// Those that a word may mean, the newest first; of several recordings of a machine the newest,
  /// or all.
  package func timelines(
    named word: String, takesAll: Bool = false
  ) throws(StoreError) -> [TimelineRecord] {
    try rows.timelines(named: word, takesAll: takesAll)
  }

  package func timelines(newest count: Int) throws(StoreError) -> [TimelineRecord] {
    try rows.timelines(newest: count)
  }

  package func timeline(_ id: TimelineID) throws(StoreError) -> TimelineRecord {
    guard let record = try rows.timeline(id) else { throw StoreError(.notFound(id)) }
    return record
  }

  /// The last seq of a timeline; `nil` if it has none, does not exist, or was deleted.
  package func lastSeq(of id: TimelineID) throws(StoreError) -> Int64? {
    do {
      return try timeline(id).last
    } catch {
      switch error.reason {
      case .notFound, .gone: return nil
      default: throw error
      }
    }
  }

  /// Whether a timeline was deleted.
  package func isGone(_ id: TimelineID) throws(StoreError) -> Bool { try rows.isGone(id) }
}
