import Timelines

@testable import TimelineStore

/// Stores a timeline so that chunks are small, and hands it on while some of it is still in the tail.
func withSearched<Value>(
  _ timeline: TangledTimeline, isIndexed: Bool = true,
  _ body: (Store, TimelineID) async throws -> Value
) async throws -> Value {
  var options = StoreOptions()
  options.chunkBytes = 4 << 10
  let indexer: any ChunkIndexer = isIndexed ? TimelineIndexer() : NoIndexer()
  return try await withStore(options, indexer: indexer) { store in
    let id = timeline.header.timeline
    _ = try await store.open(timeline.header)
    for start in stride(from: 0, to: timeline.entries.count, by: 7) {
      let batch = timeline.entries[start..<min(start + 7, timeline.entries.count)]
      _ = try await store.append(AppendBatch(id, batch))
    }
    return try await body(store, id)
  }
}
