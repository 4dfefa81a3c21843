import FaultyDisk
import Synchronization
import Timelines

@testable import TimelineStore

/// Works with a store on a disk that fails: repairs the disk after each failure, tries again, and notes
/// what was acknowledged.
final class DiskSession: Sendable {
  static let folder = "/disk/data"

  let disk: FaultyDisk
  let runner: StepRunner
  private let wrapping: RowWrapper?
  private let log = Mutex(Log())

  /// Puts rows with a fault in front of the real ones.
  typealias RowWrapper = @Sendable (any RowWriting) -> any RowWriting

  private struct Log {
    var facts = DiskFacts()
    var history: [DiskFacts] = []
    var messages: [String] = []
  }

  init(
    _ disk: FaultyDisk, _ runner: StepRunner = StepRunner(), facts: DiskFacts = DiskFacts(),
    wrapping: RowWrapper? = nil
  ) {
    (self.disk, self.runner, self.wrapping) = (disk, runner, wrapping)
    log.withLock { $0 = Log(facts: facts, history: [facts]) }
    disk.mark(0)
  }

  var options: StoreOptions {
    var options = StoreOptions.small
    options.chunkBytes = 1 << 10
    options.sealedBytes = 2 << 10
    options.disk = disk
    options.runner = runner
    options.now = { 1_777_000_000_000_000 }
    return options
  }

  /// What the store said about failures.
  var messages: [String] { log.withLock { $0.messages } }

  var facts: DiskFacts { log.withLock { $0.facts } }

  /// What was known when a note was made.
  func facts(at note: Int) -> DiskFacts { log.withLock { $0.history[note] } }

  /// Changes the facts after a request or an acknowledgment.
  func update(_ change: (inout DiskFacts) -> Void) {
    let note = log.withLock { log in
      change(&log.facts)
      log.history.append(log.facts)
      return log.history.count - 1
    }
    disk.mark(note)
  }

  func update(_ sample: SampleTimeline, _ change: (inout DiskFacts.Known) -> Void) {
    update { facts in
      let id = sample.header.timeline
      let index = facts.timelines.firstIndex { $0.sample.header.timeline == id }
      if index == nil { facts.timelines.append(.init(sample: sample)) }
      change(&facts.timelines[index ?? facts.timelines.count - 1])
    }
  }

  private func repair(after message: String) {
    log.withLock { $0.messages.append(message) }
    disk.fail(nil)
  }

  /// Does something until it succeeds, and repairs the disk after the first failure.
  func insist<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 0..<8 {
      do {
        return try await body()
      } catch {
        repair(after: "\(error)")
        await runner.idle()
      }
    }
    return try await body()
  }

  private func make() throws -> Store {
    guard let wrapping else { return try Store(folder: Self.folder, options: options) }
    let (disk, path) = (disk, Self.folder + "/" + DatabaseFile.name)
    return try Store(
      folder: Self.folder, indexer: TimelineIndexer(), options: options,
      lock: try FolderLock(folder: Self.folder, on: disk), now: options.now
    ) { () throws(StoreError) in
      wrapping(try SQLiteRows(path: path, on: disk, indexer: TimelineIndexer()))
    }
  }

  /// Opens the store, which then retries after each failure.
  func open() async throws -> Store {
    let store = try await insist { try make() }
    store.onStateChange { [weak self, weak store, runner] state in
      guard case .refusing(let why) = state else { return }
      self?.repair(after: why)
      Task(executorPreference: runner) { await store?.tryAgain() }
    }
    await runner.idle()
    return store
  }

  func begin(_ sample: SampleTimeline, in store: Store) async throws {
    update(sample) { _ in }
    _ = try await insist { try await store.open(sample.header) }
    update(sample) { $0.isOpened = true }
  }

  func append(
    _ sample: SampleTimeline, _ range: Range<Int>, batch: Int = 5, to store: Store
  ) async throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: batch) {
      let slice = sample.entries[start..<min(start + batch, range.upperBound)]
      let appended = try await insist {
        try await store.append(AppendBatch(sample.header.timeline, slice))
      }
      update(sample) { $0.durable = max($0.durable, appended.durable ?? -1) }
      await runner.idle()
    }
  }

  func rename(_ sample: SampleTimeline, to name: String, in store: Store) async throws {
    update(sample) { $0.names.insert(name) }
    try await insist { try await store.rename(sample.header.timeline, to: name) }
    update(sample) { $0.names = [name] }
  }

  func mark(_ sample: SampleTimeline, at seq: Int64, _ text: String, in store: Store) async throws {
    try await insist { try await store.mark(sample.header.timeline, at: seq, text) }
    update(sample) { $0.marks[seq] = text }
  }

  func end(_ sample: SampleTimeline, losing lost: Int64, in store: Store) async throws {
    let gap = Gap(lost: lost, why: "the outbox was full")
    try await insist { try await store.end(sample.header.timeline, gap: gap) }
    update(sample) { $0.lostAtEnd = gap }
    await runner.idle()
  }

  func delete(_ sample: SampleTimeline, from store: Store) async throws {
    let id = sample.header.timeline
    update(sample) { $0.isDoomed = true }
    _ = try await insist {
      do {
        try await store.delete(id)
      } catch let error as StoreError where error.reason == .gone(id) {
        // The try before did it.
      }
    }
    update(sample) { $0.isDeleted = true }
    await runner.idle()
  }
}
