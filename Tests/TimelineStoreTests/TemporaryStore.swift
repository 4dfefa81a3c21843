import Foundation
import TimelineStore

/// A new folder below the system's temporary one, removed when `body` has ended.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

/// A store in a folder of its own.
func withStore<Value>(
  _ options: StoreOptions = StoreOptions(), indexer: any ChunkIndexer = NoIndexer(),
  _ body: (Store) async throws -> Value
) async throws -> Value {
  try await withFolder { folder in
    let store = try Store(folder: folder, indexer: indexer, options: options)
    let value = try await body(store)
    await store.close()
    return value
  }
}
