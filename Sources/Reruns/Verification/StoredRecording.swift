internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

/// A stored timeline that can be run again.
struct StoredRecording: Sendable {
  let store: Store
  let header: Header
  /// The expression that makes a fresh machine.
  let make: String
  /// Its seqs; `nil` if it has none.
  let seqs: ClosedRange<Int64>?

  init(_ timeline: TimelineID, in store: Store) async throws {
    self.store = store
    let record = try await store.read { try $0.timeline(timeline) }
    do {
      header = try Header(reading: record.header)
    } catch {
      throw Refusal(.failed, "The header of \(timeline) cannot be read: \(error)")
    }
    guard let first = record.first, let last = record.last else {
      throw Refusal(
        .notFound, "The timeline \(timeline) has no entries.", path: "timeline",
        timeline: timeline)
    }
    guard let make = header.machine.make else {
      throw Refusal(.noHost, HostSelection.notMade(header), timeline: timeline)
    }
    self.make = make
    seqs = first...last
  }

  var id: TimelineID { header.timeline }

  /// The part of a stretch that exists.
  func stretch(from: Int64?, to: Int64?) throws -> ClosedRange<Int64> {
    guard let seqs else { throw Refusal.noTimeline(id) }
    let (from, to) = (from ?? seqs.lowerBound, to ?? seqs.upperBound)
    guard from <= to else {
      throw Refusal(.wrongValue, "The stretch ends before it begins.", path: "to")
    }
    guard from <= seqs.upperBound, to >= seqs.lowerBound else {
      throw Refusal(
        .notFound,
        "There are no entries from \(from) to \(to): the timeline has \(seqs.lowerBound) to \(seqs.upperBound).",
        path: "from", timeline: id)
    }
    return max(from, seqs.lowerBound)...min(to, seqs.upperBound)
  }

  /// The entries of a range of seqs in order, at least one, limited by number and bytes.
  func entries(
    in seqs: ClosedRange<Int64>, count: Int = Self.batchEntries
  ) async throws -> [Entry] {
    try await store.read { [id] reader in
      var entries: [Entry] = []
      var bytes = 0
      var damage: StoreError?
      let lineage = try reader.lineage(of: id)
      var next = seqs.lowerBound
      // Read pieces of the store only as needed: a whole range may have millions of entries.
      while next <= seqs.upperBound, entries.count < count, bytes < Self.batchBytes,
        let first = try reader.firstSeq(of: lineage, in: next...seqs.upperBound)
      {
        let range = first...min(seqs.upperBound, first + 255)
        try reader.forEachEntry(of: lineage, in: range, damaged: { damage = damage ?? $1 }) {
          entry throws(StoreError) in
          guard entries.count < count, bytes < Self.batchBytes else { return }
          entries.append(entry)
          bytes += entry.line.range.count
        }
        if let damage { throw damage }
        next = range.upperBound + 1
      }
      return entries
    }
  }

  /// The state and outputs after a seq; `nil` if they were not captured.
  func snapshot(at seq: Int64) async throws -> Snapshot? {
    try await store.read { [id] reader in
      let lineage = try reader.lineage(of: id)
      guard case .known(let snapshot)? = try reader.moment(of: lineage, at: seq) else { return nil }
      return snapshot
    }
  }

  /// The number of entries in a batch: neither end waits for all work of the other.
  static let batchEntries = 2_000
  /// The approximate bytes of a message to a host, far below its limit.
  private static let batchBytes = 1 << 20
}

extension StoredRecording {
  func whole(_ seqs: ClosedRange<Int64>) async throws -> [Entry] {
    var entries: [Entry] = []
    var next = seqs.lowerBound
    while next <= seqs.upperBound {
      try Task.checkCancellation()
      let more = try await self.entries(in: next...seqs.upperBound)
      guard let last = more.last else { break }
      entries += more
      next = last.seq + 1
    }
    return entries
  }

  /// The seq from which events of a stretch can be run again: the last state that the events before
  /// do not explain, else the first entry; or the last keyframe before the end, if allowed.
  func start(
    of entries: [Entry], usesKeyframes: Bool
  ) async throws -> (index: Int, moment: Snapshot) {
    let candidates = entries.dropLast()
    var index = candidates.lastIndex { $0.isBroken || $0.isFixedPoint } ?? entries.startIndex
    if usesKeyframes, let keyframe = candidates.lastIndex(where: \.isKeyframe) {
      index = max(index, keyframe)
    }
    while index < candidates.endIndex {
      if let moment = try await snapshot(at: entries[index].seq) { return (index, moment) }
      index += 1
    }
    throw Refusal(
      .thinned, "No state before the failure was captured, so there is no state to start from.",
      timeline: id)
  }
}
