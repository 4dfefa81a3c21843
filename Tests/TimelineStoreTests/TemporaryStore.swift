import Foundation
import JSONCore
import Testing
import Timelines

@testable import TimelineStore

/// A new folder below the system's temporary one, removed when `body` has ended.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

/// The store of a folder, on the database that the tests are run on.
func openStore(
  _ folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
  options: StoreOptions = StoreOptions()
) throws(StoreError) -> Store {
  guard let server = TestedServer.current else {
    return try Store(folder: folder, indexer: indexer, options: options)
  }
  return try Store(
    source: try server.source(for: folder), folder: folder, indexer: indexer, options: options)
}

/// A store in a folder of its own.
func withStore<Value>(
  _ options: StoreOptions = StoreOptions(), indexer: any ChunkIndexer = TimelineIndexer(),
  _ body: (Store) async throws -> Value
) async throws -> Value {
  try await withFolder { folder in
    let store = try openStore(folder, indexer: indexer, options: options)
    let value = try await body(store)
    await store.close()
    return value
  }
}

extension StoreOptions {
  /// Chunks so small that a short timeline has many.
  static var small: StoreOptions {
    var options = StoreOptions()
    options.chunkBytes = 2 << 10
    options.sealedBytes = 6 << 10
    options.sealedMilliseconds = 2
    options.retryMilliseconds = 3_600_000
    return options
  }
}

extension Store {
  /// Opens a sample's timeline and appends its entries, some at a time.
  func record(_ sample: SampleTimeline, through count: Int? = nil, batch: Int = 10) async throws {
    _ = try await open(sample.header)
    let entries = sample.entries.prefix(count ?? sample.entries.count)
    for start in stride(from: 0, to: entries.count, by: batch) {
      let slice = entries[start..<min(start + batch, entries.count)]
      _ = try await append(AppendBatch(sample.header.timeline, slice))
    }
  }

  /// Waits until everything that can be sealed is.
  func waitForSealing() async throws {
    while sealingBytes > 0 { await Task.yield() }
  }

  /// Waits until all rows of deleted timelines are gone.
  nonisolated func swept() async throws {
    while try await !read({ try $0.isSettled() }) { await Task.yield() }
  }

  nonisolated func lines(of id: TimelineID) async throws -> [String] {
    try await read { reader in
      var lines: [String] = []
      try reader.forEachLine(of: reader.lineage(of: id), in: 0...Int64.max) { _, line in
        lines.append(String(decoding: line, as: UTF8.self))
        return true
      }
      return lines
    }
  }
}

/// Expects that the store has the same sample as the timeline in memory.
func expectEqual(
  _ store: Store, _ sample: SampleTimeline, _ place: SourceLocation = #_sourceLocation
) async throws {
  let id = sample.header.timeline
  #expect(try await store.lines(of: id) == sample.entries.map(\.line.text), sourceLocation: place)
  let last = sample.entries.last?.seq ?? -1
  let seqs = Array(stride(from: 0, through: last, by: max(1, Int(last) / 200)))
  let (moments, record) = try await store.read { reader in
    let lineage = try reader.lineage(of: id)
    return (try seqs.map { try reader.moment(of: lineage, at: $0) }, try reader.timeline(id))
  }
  #expect(record.entries == Int64(sample.entries.count), sourceLocation: place)
  #expect(record.first == sample.entries.first?.seq, sourceLocation: place)
  #expect(record.last == sample.entries.last?.seq, sourceLocation: place)
  #expect(record.duration == sample.entries.last?.t ?? 0, sourceLocation: place)
  // A branch's own entries are what it takes itself.
  #expect(
    record.parent != nil
      || record.bytes == Int64(sample.entries.reduce(0) { $0 + $1.line.bytes.count + 1 }),
    sourceLocation: place)
  var cursor = TimelineCursor(try sample.timeline)
  for (seq, moment) in zip(seqs, moments) {
    #expect(moment == cursor.move(to: seq), "the moment \(seq)", sourceLocation: place)
  }
}

extension Store {
  /// Applies retention while the same timelines are being written.
  func prune(_ retention: Retention, live: Set<TimelineID>) async throws -> Pruned {
    try await prune(retention) { live }
  }
}
