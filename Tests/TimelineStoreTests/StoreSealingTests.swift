import Synchronization
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Sealed runs")
struct StoreSealingTests {
  @Test("are committed together, and are read from the tail until then")
  func areCommittedTogether() async throws {
    try await withFolder { folder in
      let options = Self.patient
      let seals = Mutex<[Int]>([])
      let path = folder + "/" + Store.fileName
      let store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: options, lock: nil, now: wallClock
      ) { () throws(StoreError) in
        CountedRows(try SQLiteRows(path: path, indexer: TimelineIndexer())) { bytes in
          seals.withLock { $0.append(bytes) }
        }
      }
      let sample = SampleTimeline(count: 800)
      try await store.record(sample)
      while seals.withLock({ $0.isEmpty }) { await Task.yield() }
      #expect(seals.withLock { $0.allSatisfy { $0 >= options.sealedBytes } })
      try await expectEqual(store, sample)
      await store.close()
      let again = try Store(folder: folder, options: .small)
      try await expectEqual(again, sample)
      #expect(try await again.check(thorough: true).findings == [])
      await again.close()
    }
  }

  /// Waits for 16 KiB, however long that takes.
  private static let patient: StoreOptions = {
    var options = StoreOptions.small
    options.sealedBytes = 16 << 10
    options.sealedMilliseconds = 3_600_000
    return options
  }()

  @Test("do not wait for long, however few they are")
  func doNotWait() async throws {
    var options = StoreOptions.small
    options.sealedBytes = 1 << 30
    options.sealedMilliseconds = 1
    try await withStore(options) { store in
      let sample = SampleTimeline(count: 100)
      try await store.record(sample)
      try await store.end(sample.header.timeline)
      try await store.settle()
      #expect(try await store.read { try $0.tailBytes(of: sample.header.timeline) } == 0)
      try await expectEqual(store, sample)
    }
  }
}

/// Rows that tell how many bytes of lines each commit seals, where it seals any.
private final class CountedRows: RowWriting {
  private let rows: SQLiteRows
  private let tell: (Int) -> Void

  init(_ rows: SQLiteRows, _ tell: @escaping (Int) -> Void) {
    self.rows = rows
    self.tell = tell
  }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    try rows.commit(changes)
    let bytes = changes.reduce(0) {
      if case .seal(let chunk, _) = $1 { $0 + chunk.bytes } else { $0 }
    }
    if bytes > 0 { tell(bytes) }
  }

  func lastRow() throws(StoreError) -> Int64 { try rows.lastRow() }
  func prove() throws(StoreError) { try rows.prove() }
  func usedBytes() throws(StoreError) -> Int64 { try rows.usedBytes() }
  func tidy() throws(StoreError) -> Bool { try rows.tidy() }
  func standing(of id: TimelineID) throws(StoreError) -> Standing? {
    try rows.standing(of: id)
  }
}
