internal import Exploring
internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension StoredRecording {
  /// The maximum number of recordings whose events are used, and of entries of each.
  private static let (poolRecordings, poolEntries) = (16, 4_000)

  /// The events of recordings of this machine's type, and some of its states.
  ///
  /// Other branches are left out: those of earlier explorations would change the next one.
  func pool(
    from start: Snapshot, excluding excluded: Set<String>, in time: ExplorationTime
  ) async throws -> EventPool {
    var payloads = RecordedPayloads()
    var states = [start.state]
    for recording in try await relatives() where !time.isOver {
      guard let seqs = recording.seqs else { continue }
      var next = seqs.lowerBound
      var count = 0
      while next <= seqs.upperBound, count < Self.poolEntries, !time.isOver {
        try Task.checkCancellation()
        let entries = try await recording.entries(in: next...seqs.upperBound)
        guard let last = entries.last else { break }
        for entry in entries { if let event = Self.event(of: entry) { payloads.add(event) } }
        count += entries.count
        next = last.seq + 1
      }
      if let last = try await recording.snapshot(at: seqs.upperBound) { states.append(last.state) }
    }
    return EventPool(
      recorded: payloads, schema: header.schema.flatMap { EventSchema(json: $0.value) },
      states: states, excluding: excluded)
  }

  /// The event of an entry, if it can be sent anywhere: it has no stand-ins, and does not go back to an
  /// entry.
  private static func event(of entry: Entry) -> JSON? {
    guard let event = entry.event, event.undone == nil,
      !entry.redacted.contains(where: { $0.pointer.tokens.first == "event" })
    else { return nil }
    return event.value
  }

  /// This recording, and the newest others of its machine's type.
  private func relatives() async throws -> [StoredRecording] {
    let records = try await store.read { try $0.timelines() }
    var found = [self]
    for record in records where found.count < Self.poolRecordings && record.id != id {
      guard record.last != nil, let other = try? Header(reading: record.header),
        other.isRecording(of: header.machine.type), other.machine.make == make,
        let recording = try? await StoredRecording(record.id, in: store)
      else { continue }
      found.append(recording)
    }
    return found
  }
}
