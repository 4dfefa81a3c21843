internal import TimelineStore
internal import Timelines

/// Iterates over the known moments of a stored timeline.
struct MomentWalk {
  private let store: Store
  private let timeline: TimelineID
  /// The last entry when the walk started.
  let last: Int64
  let first: Int64
  private var next: Int64
  private var moment: Snapshot?
  private var batch: ArraySlice<Entry> = []

  /// A walk from the start of a timeline.
  init(_ timeline: TimelineID, in store: Store) async throws {
    self.store = store
    self.timeline = timeline
    let record = try await store.read { try $0.timeline(timeline) }
    next = record.first ?? 0
    first = next
    last = record.last ?? -1
  }

  /// The next entry with the moment after it; the moment is `nil` if it was not captured.
  mutating func step() async throws -> (entry: Entry, moment: Snapshot?)? {
    if batch.isEmpty { try await read() }
    guard let entry = batch.popFirst() else { return nil }
    if entry.isThinned {
      moment = nil
    } else if let keyframe = Snapshot(keyframe: entry) {
      moment = keyframe
    } else if var known = moment {
      try Agreement.advance(&known, by: entry)
      moment = known
    }
    return (entry, moment)
  }

  private mutating func read() async throws {
    while batch.isEmpty, next <= last {
      try Task.checkCancellation()
      let (timeline, asked) = (timeline, next...last)
      (batch, next) = try await store.read { reader in
        var entries: [Entry] = []
        var damage: StoreError?
        let lineage = try reader.lineage(of: timeline)
        guard let first = try reader.firstSeq(of: lineage, in: asked) else {
          return ([], asked.upperBound + 1)
        }
        let range = first...min(asked.upperBound, first + Int64(StoredRecording.batchEntries) - 1)
        try reader.forEachEntry(of: lineage, in: range, damaged: { damage = damage ?? $1 }) {
          entries.append($0)
        }
        if let damage { throw damage }
        return (entries[...], range.upperBound + 1)
      }
    }
  }
}
