internal import JSONCore
internal import TimelineStore
internal import Timelines

/// Compares two runs of the same events: how many entries are equal, where they part, and which
/// paths differ how often.
struct Comparison: Sendable {
  private var equal: Int64 = 0
  private var differing: Int64 = 0
  private var first: (a: Int64, b: Int64, patch: Patch)?
  private var counts: [Pointer: Int64] = [:]

  /// More paths than this tell nobody anything; further ones count for their parent.
  private static let pathLimit = 1_000
  private static let answeredPaths = 64

  /// Takes in two moments that belong together.
  mutating func add(_ a: (seq: Int64, moment: Snapshot), _ b: (seq: Int64, moment: Snapshot)) {
    guard a.moment != b.moment else {
      equal += 1
      return
    }
    differing += 1
    let patch = Agreement.difference(
      ["state": a.moment.state, "outputs": a.moment.outputs],
      ["state": b.moment.state, "outputs": b.moment.outputs])
    if first == nil { first = (a.seq, b.seq, patch) }
    for path in Set(patch.operations.map(\.path)) {
      let counted = counts[path] == nil && counts.count >= Self.pathLimit ? path.parent : path
      counts[counted, default: 0] += 1
    }
  }

  /// Takes in an entry that one side has, and the other ended before.
  mutating func addMissing(_ seq: Int64, _ why: String?) { differing += 1 }

  /// What is answered.
  func answer(_ a: TimelineID, _ b: TimelineID) throws -> ToInspector.Compare {
    let patch = try first?.patch.json.slice
    let paths = counts.sorted { ($1.value, $0.key.description) < ($0.value, $1.key.description) }
    return ToInspector.Compare {
      $0.equal = equal
      $0.differing = differing
      $0.a = first.map { EntryReference(timeline: a, seq: $0.a) }
      $0.b = first.map { EntryReference(timeline: b, seq: $0.b) }
      $0.patch = patch
      if !paths.isEmpty {
        $0.paths = paths.prefix(Self.answeredPaths).map { path, count in
          ToInspector.PathCount {
            $0.path = path
            $0.entries = count
          }
        }
      }
    }
  }
}

/// Goes through the known moments of a stored timeline.
struct MomentWalk {
  private let store: Store
  private let timeline: TimelineID
  private let last: Int64
  private var next: Int64
  private var moment: Snapshot?
  private var batch: ArraySlice<Entry> = []

  /// A walk over a timeline from its beginning.
  init(_ timeline: TimelineID, in store: Store) async throws {
    self.store = store
    self.timeline = timeline
    let record = try await store.read { try $0.timeline(timeline) }
    next = record.first ?? 0
    last = record.last ?? -1
  }

  /// The next entry with the moment after it; the moment is `nil` where it was not captured.
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
      let range = next...min(last, next + Int64(Recording.batchEntries) - 1)
      let timeline = timeline
      batch = try await store.read { reader in
        var entries: [Entry] = []
        var damage: StoreError?
        let lineage = try reader.lineage(of: timeline)
        try reader.forEachEntry(of: lineage, in: range, damaged: { damage = damage ?? $1 }) {
          entries.append($0)
        }
        if let damage { throw damage }
        return entries[...]
      }
      next = range.upperBound + 1
    }
  }
}
