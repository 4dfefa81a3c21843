import Synchronization
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Sealed runs")
struct StoreSealingTests {
  @Test("are committed together, and are read from the tail until then", .onSQLite)
  func areCommittedTogether() async throws {
    try await withFolder { folder in
      var options = StoreOptions.small
      options.sealedBytes = 16 << 10
      options.sealedMilliseconds = 3_600_000
      let seals = Mutex<[Int]>([])
      let path = folder + "/" + DatabaseFile.name
      let store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: options, lock: nil, now: wallClock
      ) { () throws(StoreError) in
        CountedRows(try SQLiteRows(path: path, indexer: TimelineIndexer())) { count in
          seals.withLock { $0.append(count) }
        }
      }
      let sample = SampleTimeline(count: 800)
      try await store.record(sample)
      while seals.withLock({ $0.isEmpty }) { await Task.yield() }
      // Chunks have 2 KiB, and a line more: sixteen need more than one of them.
      let counts = seals.withLock { $0 }
      #expect((counts.min() ?? 0) >= 2, "\(counts)")
      try await expectEqual(store, sample)
      await store.close()
      let again = try openStore(folder, options: .small)
      try await expectEqual(again, sample)
      #expect(try await again.check(thorough: true).findings == [])
      await again.close()
    }
  }

  @Test("do not wait for long, however few they are")
  func doNotWait() async throws {
    var options = StoreOptions.small
    options.sealedBytes = 1 << 30
    options.sealedMilliseconds = 1
    try await withStore(options) { store in
      let sample = SampleTimeline(count: 100)
      try await store.record(sample)
      try await store.end(sample.header.timeline)
      try await store.waitForSealing()
      #expect(try await store.read { try $0.tailBytes(of: sample.header.timeline) } == 0)
      try await expectEqual(store, sample)
    }
  }
}

/// Rows that tell how many runs each commit seals, where it seals any.
private final class CountedRows: RowWriting {
  private let rows: SQLiteRows
  private let tell: (Int) -> Void

  init(_ rows: SQLiteRows, _ tell: @escaping (Int) -> Void) {
    self.rows = rows
    self.tell = tell
  }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    try rows.commit(changes)
    let count = changes.reduce(0) { if case .seal = $1 { $0 + 1 } else { $0 } }
    if count > 0 { tell(count) }
  }

  func lastRow() throws(StoreError) -> Int64 { try rows.lastRow() }
  func syncLog() throws(StoreError) { try rows.syncLog() }
  func usedBytes() throws(StoreError) -> Int64 { try rows.usedBytes() }
  func hasBranch(of row: Int64) throws(StoreError) -> Bool { try rows.hasBranch(of: row) }
  func performMaintenance() throws(StoreError) -> Bool { try rows.performMaintenance() }
  func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd? {
    try rows.storedEnd(of: id)
  }
}
