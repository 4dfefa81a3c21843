import Foundation
import JSONCore
import Predicates
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("A store whose disk fails")
struct StoreFaultTests {
  @Test("loses and doubles nothing, whether a failed commit was kept or not", arguments: 1...4)
  func survivesFaults(seed: UInt64) async throws {
    try await withFolder { folder in
      let plan = FaultPlan(seed: seed, probability: 0.3)
      let path = folder + "/" + DatabaseFile.name
      let store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: .small, lock: nil, now: wallClock
      ) { () throws(StoreError) in
        FaultyRows(try SQLiteRows(path: path, indexer: TimelineIndexer()), plan)
      }
      // As a daemon does after its time, at once.
      store.onStateChange { state in
        guard case .refusing = state else { return }
        Task { while await store.tryAgain() == false { await Task.yield() } }
      }
      let samples = [
        SampleTimeline(count: 150, seed: seed), SampleTimeline(count: 150, seed: seed + 100),
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sample in samples { group.addTask { try await store.record(sample, batch: 5) } }
        try await group.waitForAll()
      }
      #expect(plan.faults > 3)
      plan.end()
      while await store.tryAgain() == false { await Task.yield() }
      for sample in samples { try await expectEqual(store, sample) }
      try await store.waitForSealing()
      #expect(try await store.check(thorough: true).findings == [])
      await store.close()
    }
  }

  @Test("says why it does not write, and refuses what a person asks for")
  func reportsWhy() async throws {
    try await withFolder { folder in
      let plan = FaultPlan(seed: 1, probability: 0)
      let path = folder + "/" + DatabaseFile.name
      let store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: .small, lock: nil, now: wallClock
      ) { () throws(StoreError) in
        FaultyRows(try SQLiteRows(path: path, indexer: TimelineIndexer()), plan)
      }
      let sample = SampleTimeline(count: 20)
      try await store.record(sample, through: 10)
      let states = Mutex<[StoreState]>([])
      store.onStateChange { state in states.withLock { $0.append(state) } }
      plan.set(probability: 1)
      let waiting = Task {
        try await store.append(AppendBatch(sample.header.timeline, sample.entries[10...]))
      }
      while store.state == .open { await Task.yield() }
      guard case .refusing(let why) = store.state else {
        Issue.record("the store goes on")
        return
      }
      #expect(why.contains("disk"))
      await #expect(throws: StoreError(.refusing(why))) {
        try await store.rename(sample.header.timeline, to: "x")
      }
      #expect(try await store.lines(of: sample.header.timeline).count == 10)
      plan.set(probability: 0)
      #expect(await store.tryAgain())
      #expect(try await waiting.value == Appended(durable: 19, dropped: 0))
      #expect(states.withLock { $0 } == [.refusing(why), .open])
      await store.close()
    }
  }

  @Test("reports that entries cannot be compressed, and compresses them when it resumes")
  func survivesFailedPacking() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 200)
      try await store.record(sample, through: 100)
      try await store.waitForSealing()
      let order = SealOrder(
        timeline: sample.header.timeline, row: 1, generation: await store.generation, runs: [],
        now: 0)
      store.receive(nil, of: order)
      while store.state == .open { await Task.yield() }
      guard case .refusing(let why) = store.state else {
        Issue.record("the store goes on")
        return
      }
      #expect(why.contains("cannot be compressed"))
      #expect(await store.tryAgain())
      // Results of a closed connection do not count.
      store.receive(nil, of: order)
      let rest = AppendBatch(sample.header.timeline, sample.entries[100...])
      #expect(try await store.append(rest).durable == 199)
      #expect(store.state == .open)
      try await expectEqual(store, sample)
      try await store.waitForSealing()
      #expect(try await store.check(thorough: true).isClean)
    }
  }

  @Test("warns once when the data exceeds its limit, and continues")
  func warns() async throws {
    var options = StoreOptions.small
    options.softLimit = 8 << 10
    try await withStore(options) { store in
      let warnings = Mutex<[String]>([])
      store.onWarning { warning in warnings.withLock { $0.append(warning) } }
      try await store.record(SampleTimeline(count: 600), batch: 2)
      try await store.waitForSealing()
      #expect(warnings.withLock { $0.count } == 1)
      #expect(
        warnings.withLock { $0.first } == """
          The timelines take 0 MiB; the soft limit is 0 MiB. To fix, delete or export some, or set \
          retention limits.
          """)
    }
  }

  @Test("warns each time that the disk has little room left, once")
  func warnsOfDisk() async throws {
    let free = Mutex<Int64?>(5 << 20)
    var options = StoreOptions.small
    options.leastFree = 64 << 20
    options.disk = WatchedDisk(free: { free.withLock { $0 } })
    try await withStore(options) { store in
      let warnings = Mutex<[String]>([])
      store.onWarning { warning in warnings.withLock { $0.append(warning) } }
      let warning = "The disk has 5 MiB left. To fix, free some space before recording stops."
      let expected: [(left: Int64?, warnings: Int)] = [
        (5 << 20, 1), (5 << 20, 1), (nil, 1), (64 << 20, 1), (5 << 20, 2),
      ]
      for (left, count) in expected {
        free.withLock { $0 = left }
        // More than the store writes between two looks at the room.
        try await store.record(SampleTimeline(count: 300), batch: 2)
        try await store.waitForSealing()
        #expect(warnings.withLock { $0 } == Array(repeating: warning, count: count))
      }
    }
  }

  @Test("warns of a disk that had little room left before anyone listened")
  func warnsLater() async throws {
    var options = StoreOptions.small
    options.leastFree = 64 << 20
    options.disk = WatchedDisk(free: { 5 << 20 })
    try await withStore(options) { store in
      // The store has measured once when it has reached its thread.
      try await store.waitForSealing()
      let warnings = Mutex<[String]>([])
      store.onWarning { warning in warnings.withLock { $0.append(warning) } }
      for _ in 0..<3 { try await store.waitForSealing() }
      #expect(warnings.withLock { $0.count } == 1)
    }
  }

  @Test(
    "refuses to write on a full disk, keeps reading, and resumes when there is space",
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs root"))
  func survivesFullDisk() async throws {
    let disk = try SmallDisk(megabytes: 4)
    defer { disk.unmount() }
    let store = try Store(folder: disk.path + "/data", options: .small)
    let sample = SampleTimeline(count: 4_000)
    let id = sample.header.timeline
    try await store.record(sample, through: 500, batch: 100)
    let filler = try disk.fill()
    let durable = Mutex<Int64>(499)
    let rest = Task {
      for start in stride(from: 500, to: 4_000, by: 100) {
        let appended = try await store.append(
          AppendBatch(id, sample.entries[start..<start + 100]))
        durable.withLock { $0 = appended.durable ?? $0 }
      }
    }
    while store.state == .open { await Task.yield() }
    guard case .refusing(let why) = store.state else {
      Issue.record("the store goes on without room")
      return
    }
    #expect(why.contains("full"))
    let acknowledged = durable.withLock { $0 }
    #expect(acknowledged < 3_999)
    let lines = try await store.lines(of: id)
    #expect(lines.count > acknowledged)
    #expect(lines == sample.entries.prefix(lines.count).map(\.line.text))
    try FileManager.default.removeItem(atPath: filler)
    while await store.tryAgain() == false { await Task.yield() }
    try await rest.value
    #expect(try await store.lines(of: id) == sample.entries.map(\.line.text))
    await store.close()
  }
}

extension StoreFaultTests {
  @Test(
    "opens on a full disk with an older index: refuses to write, reads, and rebuilds it later",
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs root"))
  func opensOnFullDisk() async throws {
    let disk = try SmallDisk(megabytes: 8)
    defer { disk.unmount() }
    let folder = disk.path + "/data ü?"
    let sample = SampleTimeline(count: 600)
    let id = sample.header.timeline
    let old = try Store(folder: folder, indexer: OlderIndexer(), options: .small)
    try await old.record(sample, batch: 100)
    try await old.end(id)
    try await old.waitForSealing()
    await old.close()
    let filler = try disk.fill()

    let store = try Store(folder: folder, options: .small)
    let states = Mutex<[StoreState]>([])
    store.onStateChange { state in states.withLock { $0.append(state) } }
    guard case .refusing(let why) = store.state else {
      Issue.record("an index is made without room")
      return
    }
    #expect(why.contains("full") || why.contains("disk"))
    await #expect(throws: StoreError(.refusing(why))) { try await store.rename(id, to: "x") }
    try await expectEqual(store, sample)
    let found = try await store.find(FindQuery(try Predicate("true"), from: 0, limit: 5), of: id)
    #expect(found.seqs.count == 5)

    try FileManager.default.removeItem(atPath: filler)
    while await store.tryAgain() == false { await Task.yield() }
    #expect(states.withLock { $0.count } == 2)
    while try await store.indexMore() {}
    try await expectEqual(store, sample)
    #expect(try await store.check(thorough: true).isClean)
    await store.close()
  }
}

/// What made the index before this build.
private struct OlderIndexer: ChunkIndexer {
  private let indexer = TimelineIndexer()
  var version: Int64 { indexer.version - 1 }
  func rows(for chunk: EntryRun) -> IndexRows { indexer.rows(for: chunk) }
  func summary(of parts: [[UInt8]]) -> [UInt8] { indexer.summary(of: parts) }
}

/// Decides which commits fail, the same for the same seed.
final class FaultPlan: Sendable {
  enum Fault {
    /// Nothing was written.
    case before
    /// Everything was written, but that is not known.
    case after
  }

  private struct State {
    var generator: SeededGenerator
    var probability: Double
    var faults = 0
  }

  private let state: Mutex<State>

  init(seed: UInt64, probability: Double) {
    state = Mutex(State(generator: SeededGenerator(seed: seed), probability: probability))
  }

  var faults: Int { state.withLock { $0.faults } }

  func set(probability: Double) { state.withLock { $0.probability = probability } }

  func end() { set(probability: 0) }

  func next() -> Fault? {
    state.withLock { state in
      guard state.generator.chance(state.probability) else { return nil }
      state.faults += 1
      return state.generator.chance(0.5) ? .before : .after
    }
  }
}

/// Rows whose commits fail as a plan says.
final class FaultyRows: RowWriting {
  private let rows: SQLiteRows
  private let plan: FaultPlan

  init(_ rows: SQLiteRows, _ plan: FaultPlan) {
    self.rows = rows
    self.plan = plan
  }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    let fault = plan.next()
    if fault == .before {
      throw StoreError(
        DatabaseError(code: 13, message: "database or disk is full", doing: "COMMIT"))
    }
    try rows.commit(changes)
    if fault == .after {
      throw StoreError(DatabaseError(code: 1_034, message: "disk I/O error", doing: "COMMIT"))
    }
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

/// A file system of a few megabytes, which can be filled.
struct SmallDisk {
  let path: String

  /// Whether this process may mount one.
  static let isPossible: Bool = {
    guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()

  init(megabytes: Int) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path) else {
      try FileManager.default.removeItem(atPath: path)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// Takes all the room that is left; answers the file that does.
  func fill() throws -> String {
    let filler = path + "/filler"
    _ = run("sh", "-c", "cat /dev/zero > '\(filler)' 2>/dev/null || true")
    return filler
  }

  func makeReadOnly() -> Bool { run("mount", "-o", "remount,ro", path) }

  func unmount() {
    _ = run("umount", "-l", path)
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Runs a program; answers whether it ended well.
@discardableResult
func run(_ words: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}
