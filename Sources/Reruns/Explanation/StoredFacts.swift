internal import Explaining
internal import JSONCore
internal import TimelineStore
internal import Timelines

/// The queries of an explanation, answered by the store.
struct StoredFacts: RecordedFacts {
  let store: Store

  func entry(_ place: EntryReference) async throws -> Entry? {
    try await store.read { reader in
      // A cause may be in a timeline that this store does not have.
      guard let lineage = try? reader.lineage(of: place.timeline) else { return nil }
      return try reader.entry(of: lineage, at: place.seq)
    }
  }

  func moment(after place: EntryReference) async throws -> Moment? {
    try await store.read { reader in
      try reader.moment(of: reader.lineage(of: place.timeline), at: place.seq)
    }
  }

  func changes(
    of path: Pointer, upTo place: EntryReference, limit: Int
  ) async throws -> RecordedChanges {
    guard place.seq >= 0, place.seq < .max else { return RecordedChanges() }
    let answer = try await store.changes(
      ChangesQuery(path: path, .before(place.seq + 1), limit: limit), of: place.timeline)
    return RecordedChanges(seqs: answer.changes.map(\.seq), unknown: answer.unknown)
  }
}
