internal import Explaining
internal import Predicates
internal import TimelineStore
internal import Timelines
internal import Wire

/// Recordings of a machine's type without a failure, to compare one that has it with.
struct HealthyRecordings: Sendable {
  let store: Store
  /// The header of the recording with the failure.
  let header: Header
  /// The last entry to compare.
  let through: Int64

  /// The maximum number of entries to compare: their names are in memory.
  static let entryLimit: Int64 = 100_000
  /// The maximum number of recordings that are read, of those that were looked at.
  private static let (readLimit, lookLimit) = (8, 64)

  /// A healthy recording, and the first entry that it does not have.
  struct Nearest: Sendable {
    var timeline: TimelineID
    var difference: EventOutline.Difference?
  }

  /// Whether there are few enough entries.
  var isShort: Bool {
    get async throws {
      let record = try await store.read { [header] in try $0.timeline(header.timeline) }
      return through - (record.first ?? 0) < Self.entryLimit
    }
  }

  func difference(from other: TimelineID) async throws -> Nearest {
    let record = try await store.read { try $0.timeline(other) }
    let type = try Header(reading: record.header).machine.type
    guard type == header.machine.type, other != header.timeline else {
      throw Refusal(
        .wrongValue,
        """
        To compare with a healthy recording, name another one of \(header.machine.type); this one is \
        \(other == header.timeline ? "the same" : "of \(type)").
        """, path: "healthy", timeline: other)
    }
    let ours = try await outline(of: header.timeline, through: through)
    let theirs = try await outline(of: other, through: nil)
    return Nearest(timeline: other, difference: ours.firstDifference(from: theirs))
  }

  /// The recording without a failure that goes on like this one for the longest; the newest of equal
  /// ones. `nil` if there is none.
  func nearest(without failure: Predicate) async throws -> Nearest? {
    let ours = try await outline(of: header.timeline, through: through)
    var best: Nearest?
    for timeline in try await relatives(without: failure) {
      let theirs = try await outline(of: timeline, through: nil)
      let found = Nearest(timeline: timeline, difference: ours.firstDifference(from: theirs))
      if found.seq > best?.seq ?? .min { best = found }
    }
    return best
  }

  private func relatives(without failure: Predicate) async throws -> [TimelineID] {
    let records = try await store.read { try $0.timelines() }
    let others = records.lazy.filter { record in
      guard record.id != header.timeline, record.last != nil,
        let other = try? Header(reading: record.header)
      else { return false }
      return other.isRecording(of: header.machine.type)
    }
    var found: [TimelineID] = []
    for record in others.prefix(Self.lookLimit) where found.count < Self.readLimit {
      try Task.checkCancellation()
      if try await isWithout(failure, record) { found.append(record.id) }
    }
    return found
  }

  /// Whether a failure happened in a recording, as far as it says.
  func has(_ failure: Predicate, in timeline: TimelineID) async throws -> Bool {
    let record = try await store.read { try $0.timeline(timeline) }
    var from = record.first ?? 0
    while true {
      let answer = try await store.find(FindQuery(failure, from: from), of: timeline)
      guard answer.seqs.isEmpty else { return true }
      guard let next = answer.next, next > from else { return false }
      from = next
    }
  }

  /// Whether a failure happened nowhere in a recording, as far as it says.
  private func isWithout(_ failure: Predicate, _ record: TimelineRecord) async throws -> Bool {
    var from = record.first ?? 0
    while true {
      let answer = try await store.find(FindQuery(failure, from: from), of: record.id)
      guard answer.seqs.isEmpty, answer.unknownCount == 0 else { return false }
      guard let next = answer.next, next > from else { return true }
      from = next
    }
  }

  private func outline(of timeline: TimelineID, through: Int64?) async throws -> EventOutline {
    try await store.read { reader in
      var outline = EventOutline()
      let record = try reader.timeline(timeline)
      guard let first = record.first, let last = record.last else { return outline }
      let end = min(through ?? last, first.addingLimited(Self.entryLimit))
      guard first <= end else { return outline }
      try reader.forEachEntry(of: reader.lineage(of: timeline), in: first...end) { entry in
        outline.add(entry)
      }
      return outline
    }
  }
}

extension HealthyRecordings.Nearest {
  /// The first entry that differs; the largest number when none does.
  fileprivate var seq: Int64 { difference?.seq ?? .max }
}

extension Int64 {
  fileprivate func addingLimited(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
