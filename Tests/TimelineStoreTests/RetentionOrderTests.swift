import JSONCore
import Synchronization
import Testing
import Timelines

@testable import TimelineStore

// What happens at the same time as retention, and around it.
extension RetentionTests {
  @Test("rows that are still being removed do not count, so that no more is deleted than necessary")
  func waitsForSweep() async throws {
    try await withHeld { store, held, _ in
      // By the clock of this test they are equally old, and the first that began goes first.
      let samples = (0..<5).map { SampleTimeline(count: 150, seed: UInt64($0 + 1)) }
      for sample in samples { try await store.record(sample) }
      try await store.waitForSealing()
      held.tidies.withLock { $0 = false }
      let used = try await store.read { try $0.usedBytes() }
      let limit = Retention(bytes: used * 7 / 10)
      #expect(try await store.prune(Retention(perApp: 2), live: []).deleted.count == 3)
      let waiting = try await store.prune(limit, live: [])
      #expect(waiting.deleted == [])
      let said = "The limit of \(used * 7 / 10) bytes waits: "
      #expect(waiting.sentences.count == 1)
      #expect(waiting.sentences.first?.hasPrefix(said) == true)
      // Other limits do not wait.
      let another = try await store.prune(Retention(bytes: 0, perApp: 1), live: [])
      #expect(another.deleted == [samples[3].header.timeline])
      held.tidies.withLock { $0 = true }
      // What is written brings the removing about.
      try await store.rename(samples[4].header.timeline, to: "the last")
      try await store.swept()
      #expect(try await store.prune(limit, live: []) == Pruned())
      let rest = try await store.prune(Retention(bytes: 0), live: [])
      #expect(rest.deleted == [samples[4].header.timeline])
    }
  }

  @Test("the age is that of the last entry, also when nothing of it is sealed")
  func countsUnsealed() async throws {
    try await withHeld { store, _, clock in
      let sample = SampleTimeline(count: 3)
      let id = sample.header.timeline
      let started = sample.header.started.microseconds / 1_000_000
      let halfDay: Int64 = 43_200
      clock.set(seconds: started)
      try await store.record(sample)
      let last = started + 44_000
      var draft = EntryDraft(seq: 3, t: 44_000 * 1_000_000)
      draft.event = Array("\"tick\"".utf8)[...]
      draft.patch = Array("[]".utf8)[...]
      _ = try await store.append(AppendBatch(id, [try draft.entry()]))
      #expect(try await store.read { try $0.timeline(id).touched } == started * 1_000_000)
      for now in [last + 60, last + halfDay - 1] {
        clock.set(seconds: now)
        #expect(try await store.prune(Retention(seconds: halfDay), live: []) == Pruned())
      }
      clock.set(seconds: last + halfDay + 1)
      #expect(try await store.prune(Retention(seconds: halfDay), live: []).deleted == [id])
    }
  }

  @Test("a recorder's clock that is far ahead keeps nothing for ever")
  func ignoresWrongClocks() async throws {
    try await withHeld { store, _, clock in
      let sample = SampleTimeline(count: 3)
      let begun = sample.header.started.microseconds / 1_000_000 - 30 * 86_400
      clock.set(seconds: begun)
      try await store.record(sample)
      clock.set(seconds: begun + 40_000)
      #expect(try await store.prune(Retention(seconds: 43_200), live: []) == Pruned())
      clock.set(seconds: begun + 43_300)
      let pruned = try await store.prune(Retention(seconds: 43_200), live: [])
      #expect(pruned.deleted == [sample.header.timeline])
    }
  }

  @Test("a cut that was made meanwhile is not made again", .onSQLite)
  func cutsOnce() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 600)
      let cut = try await heldCut(of: sample, in: folder)
      let rows = try SQLiteRows(path: folder + "/" + DatabaseFile.name, indexer: TimelineIndexer())
      try rows.commit([cut.change])
      try rows.commit([cut.change])
      let store = try openStore(folder, options: .small)
      let lines = try await store.lines(of: sample.header.timeline)
      #expect(lines.dropFirst() == sample.entries[(Int(cut.first) + 1)...].map(\.line.text)[...])
      #expect(try await store.check(thorough: true).findings == [])
      await store.close()
    }
  }

  @Test("nothing is cut that a new branch reads", .onSQLite)
  func keepsWhatBranchesRead() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 600)
      let branch = try Branch(of: sample, start: 50, count: 20)
      let cut = try await heldCut(of: sample, in: folder) { store in
        _ = try await store.createBranch(branch.header)
        _ = try await store.append(AppendBatch(branch.header.timeline, branch.own))
      }
      let rows = try SQLiteRows(path: folder + "/" + DatabaseFile.name, indexer: TimelineIndexer())
      try rows.commit([cut.change])
      let store = try openStore(folder, options: .small)
      try await expectEqual(store, sample)
      try await expectEqual(store, branch.whole)
      #expect(try await store.check(thorough: true).findings == [])
      await store.close()
    }
  }

  @Test("who writes is asked after the timelines were read, so that a new one is spared")
  func sparesNew() async throws {
    try await withHeld { store, _, _ in
      let (old, new) = (SampleTimeline(count: 30, seed: 1), SampleTimeline(count: 30, seed: 2))
      try await store.record(old)
      // Had it begun before the read, one of both would be too many.
      let pruned = try await store.prune(Retention(perApp: 1)) {
        await #expect(throws: Never.self) { try await store.record(new) }
        return []
      }
      #expect(pruned == Pruned())
      #expect(try await store.prune(Retention(perApp: 1), live: []).deleted.count == 1)
    }
  }

  @Test("concurrent prunes run one after the other, and each cuts further")
  func runsInTurn() async throws {
    try await withHeld { store, held, _ in
      let sample = SampleTimeline(count: 600)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.waitForSealing()
      let used = try await store.read { try $0.usedBytes() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            _ = try await store.prune(Retention(bytes: used * 9 / 10), live: [id])
          }
        }
        try await group.waitForAll()
      }
      let firsts = held.cuts.withLock { $0.map(\.first) }
      #expect(!firsts.isEmpty)
      // Each goes further than the one before.
      #expect(zip(firsts, firsts.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try await store.check(thorough: true).findings == [])
    }
  }
}

// MARK: Rows that wait

extension RetentionTests {
  /// Lets a store cut a timeline, without the cut being made; answers the cut.
  private func heldCut(
    of sample: SampleTimeline, in folder: String,
    _ meanwhile: (Store) async throws -> Void = { _ in }
  ) async throws -> Cut {
    try await withHeld(in: folder) { store, held, _ in
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.waitForSealing()
      held.cutsWait.withLock { $0 = true }
      let used = try await store.read { try $0.usedBytes() }
      let pruned = try await store.prune(Retention(bytes: used / 2), live: [id])
      // Nothing was cut, so nothing is reported.
      #expect(pruned.shortened == [])
      #expect(pruned.sentences.count == 1)
      try await meanwhile(store)
      try await store.waitForSealing()
      let cut = try #require(held.cuts.withLock { $0.last })
      #expect(cut.first > 100)
      return cut
    }
  }

  private func withHeld<Value>(
    _ body: (Store, Held, SetClock) async throws -> Value
  ) async throws -> Value {
    try await withFolder { try await withHeld(in: $0, body) }
  }

  private func withHeld<Value>(
    in folder: String, _ body: (Store, Held, SetClock) async throws -> Value
  ) async throws -> Value {
    let (held, clock) = (Held(), SetClock())
    let path = folder + "/" + DatabaseFile.name
    let store = try Store(
      folder: folder, indexer: TimelineIndexer(), options: .small, lock: nil, now: { clock.now }
    ) { () throws(StoreError) in
      HeldRows(try SQLiteRows(path: path, indexer: TimelineIndexer()), held)
    }
    let value = try await body(store, held, clock)
    await store.close()
    return value
  }

  /// A cut as the store wants it.
  private struct Cut: Sendable {
    let change: RowChange
    /// The first seq that it keeps.
    let first: Int64
  }

  /// What a test holds back, and the cuts that came.
  private final class Held: Sendable {
    let tidies = Mutex(true)
    let cutsWait = Mutex(false)
    let cuts = Mutex<[Cut]>([])
  }

  /// Rows whose cuts and whose tidying wait for a test.
  private final class HeldRows: RowWriting {
    private let rows: SQLiteRows
    private let held: Held

    init(_ rows: SQLiteRows, _ held: Held) {
      self.rows = rows
      self.held = held
    }

    func commit(_ changes: [RowChange]) throws(StoreError) {
      var made: [RowChange] = []
      for change in changes {
        if case .cutHead(let chunk, _, _) = change {
          let cut = Cut(change: change, first: chunk.seqs.lowerBound)
          held.cuts.withLock { $0.append(cut) }
          if held.cutsWait.withLock({ $0 }) { continue }
        }
        made.append(change)
      }
      try rows.commit(made)
    }

    func performMaintenance() throws(StoreError) -> Bool {
      try held.tidies.withLock { $0 } ? rows.performMaintenance() : false
    }

    func lastRow() throws(StoreError) -> Int64 { try rows.lastRow() }
    func syncLog() throws(StoreError) { try rows.syncLog() }
    func usedBytes() throws(StoreError) -> Int64 { try rows.usedBytes() }
    func hasBranch(of row: Int64) throws(StoreError) -> Bool { try rows.hasBranch(of: row) }
    func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd? {
      try rows.storedEnd(of: id)
    }
  }
}
