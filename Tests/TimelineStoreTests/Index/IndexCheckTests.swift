import Testing
import Timelines

@testable import TimelineStore

@Suite("Checking the index")
struct IndexCheckTests {
  @Test("finds the index of appended entries to be that of the stored ones")
  func isEqual() async throws {
    let timeline = TangledTimeline(count: 700, seed: 51)
    try await withSearched(timeline) { store, id in
      let differences = try await store.indexDifferences(of: id)
      #expect(differences == [])
    }
  }

  @Test("a missing index is rebuilt, and then is the same")
  func rebuilds() async throws {
    let timeline = TangledTimeline(count: 300, seed: 52)
    let id = timeline.header.timeline
    var options = StoreOptions()
    options.chunkBytes = 4 << 10
    try await withFolder { [options] folder in
      let bare = try openStore(folder, options: options)
      _ = try await bare.open(timeline.header)
      for start in stride(from: 0, to: 300, by: 10) {
        _ = try await bare.append(AppendBatch(id, timeline.entries[start..<start + 10]))
      }
      await bare.close()

      let store = try openStore(folder, indexer: TimelineIndexer(), options: options)
      while try await store.indexMore() {}
      let differences = try await store.indexDifferences(of: id)
      #expect(differences == [])
      let isIndexed = try await store.read { reader in
        let source = try SearchSource(reader, reader.lineage(of: id))
        return try source.run(from: 0)?.isIndexed == true && source.hasIndex
      }
      #expect(isIndexed)
      await store.close()
    }
  }

  @Test("reports rows that do not match the entries", .onSQLite)
  func differs() async throws {
    let timeline = TangledTimeline(count: 300, seed: 53)
    let id = timeline.header.timeline
    var options = StoreOptions()
    options.chunkBytes = 4 << 10
    try await withFolder { [options] folder in
      let store = try openStore(folder, indexer: TimelineIndexer(), options: options)
      _ = try await store.open(timeline.header)
      _ = try await store.append(AppendBatch(id, timeline.entries))
      while try await store.read({ try $0.tailBytes(of: id) }) > 8 << 10 { await Task.yield() }
      await store.close()
      let database = try Database(path: folder + "/" + DatabaseFile.name, access: .full)
      try database.execute("UPDATE level SET summary = x'00' WHERE level = 0 AND ordinal = 1")
      try database.execute("DELETE FROM posting WHERE chunk = 0")
      let again = try openStore(folder, indexer: TimelineIndexer(), options: options)
      let differences = try await again.indexDifferences(of: id)
      #expect(differences.count >= 2)
      await again.close()
    }
  }
}
