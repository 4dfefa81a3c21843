import Dispatch
import Foundation
import Synchronization
import Testing
import Timelines

@testable import TimelineStore

@Suite("A store on a full disk tries again")
struct StoreRetryTests {
  /// A store on a disk with room for small rows at most, and the states that it reports.
  private final class World: Sendable {
    let store: Store
    let room: Room
    let runner: PauseRunner
    let states: StateLog
    let sample = SampleTimeline(count: 40)

    init(_ folder: String, waitsForDisk: Bool = true) async throws {
      var options = StoreOptions.small
      options.retryMilliseconds = 1_000
      options.waitsForDisk = waitsForDisk
      let (room, runner, states) = (Room(), PauseRunner(), StateLog())
      options.runner = runner
      let path = folder + "/" + DatabaseFile.name
      store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: options, lock: nil, now: wallClock
      ) { () throws(StoreError) in
        SmallRows(try SQLiteRows(path: path, indexer: TimelineIndexer()), room)
      }
      (self.room, self.runner, self.states) = (room, runner, states)
      store.onStateChange { states.add($0) }
      _ = try await store.open(sample.header)
    }

    /// Fills the disk, and submits entries; returns once the store refuses them.
    func fail(from start: Int) async -> Task<Appended, any Error> {
      room.set(.none)
      let pauses = runner.pauses.count
      let batch = AppendBatch(sample.header.timeline, sample.entries[start..<start + 10])
      let waiting = Task { [store] in try await store.append(batch) }
      while runner.pauses.count == pauses { await Task.yield() }
      return waiting
    }
  }

  @Test(
    "after growing pauses, and reports that it writes once a commit has succeeded",
    arguments: [Room.Size.none, .small])
  func pauses(size: Room.Size) async throws {
    try await withFolder { folder in
      let world = try await World(folder)
      let waiting = await world.fail(from: 0)
      world.room.set(size)
      for _ in 0..<6 { await world.runner.next() }
      #expect(world.runner.pauses == [1, 2, 4, 8, 16, 16, 16].map { .seconds($0) })
      #expect(world.states.isRefusing == [true], "nothing was reported while nothing changed")
      world.room.set(.large)
      await world.runner.next()
      #expect(try await waiting.value.durable == 9)
      #expect(world.states.isRefusing == [true, false])
      await world.store.close()
    }
  }

  @Test("and reports that it writes only after a commit, also if nothing waits to be written")
  func nothingWaits() async throws {
    try await withFolder { folder in
      let world = try await World(folder, waitsForDisk: false)
      world.room.set(.none)
      let batch = AppendBatch(world.sample.header.timeline, world.sample.entries[0..<10])
      await #expect(throws: StoreError.self) { try await world.store.append(batch) }
      #expect(await world.store.tryAgain() == false)
      #expect(world.states.isRefusing == [true])
      world.room.set(.small)
      #expect(await world.store.tryAgain())
      #expect(world.states.isRefusing == [true, false])
      await world.store.close()
    }
  }

  @Test("and forgets earlier failures only after it has written for a while")
  func forgets() async throws {
    try await withFolder { folder in
      let world = try await World(folder)
      for (start, pause) in [(0, 1), (10, 2), (20, 1)] {
        let waiting = await world.fail(from: start)
        #expect(world.runner.pauses.last == .seconds(pause))
        world.room.set(.large)
        await world.runner.next()
        _ = try await waiting.value
        // The last one continues after the time in which another failure counts as the same.
        if start == 10 { for _ in 0..<2 { await world.runner.next() } }
      }
      await world.store.close()
    }
  }
}

/// The states that a store reports.
private final class StateLog: Sendable {
  private let states = Mutex<[StoreState]>([])

  var isRefusing: [Bool] {
    states.withLock { states in
      states.map { state in
        if case .refusing = state { true } else { false }
      }
    }
  }

  func add(_ state: StoreState) { states.withLock { $0.append(state) } }
}

/// How much a disk accepts.
final class Room: Sendable {
  enum Size: Sendable { case none, small, large }

  private let size = Mutex(Size.large)

  var current: Size { size.withLock { $0 } }

  func set(_ new: Size) { size.withLock { $0 = new } }
}

/// Rows that a full disk refuses when they are committed: opening always succeeds, as with SQLite.
private final class SmallRows: RowWriting {
  private let rows: SQLiteRows
  private let room: Room

  init(_ rows: SQLiteRows, _ room: Room) { (self.rows, self.room) = (rows, room) }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    let isSmall = changes.allSatisfy { if case .probe = $0 { true } else { false } }
    guard room.current == .large || room.current == .small && isSmall else {
      throw StoreError(
        DatabaseError(code: 13, message: "database or disk is full", doing: "COMMIT"))
    }
    try rows.commit(changes)
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

/// Runs work at once, except for what comes after a second or more, which the test starts.
private final class PauseRunner: StoreRunner {
  private struct State {
    var now = Duration.zero
    var pauses: [Duration] = []
    var waiting: [(due: Duration, work: @Sendable () -> Void)] = []
  }

  private let queue = DispatchQueue(label: "a store with pauses")
  private let state = Mutex(State())

  /// The pauses before retries that were requested so far.
  var pauses: [Duration] { state.withLock { $0.pauses } }

  func run(on queue: String, _ work: @escaping @Sendable () -> Void) {
    self.queue.async { work() }
  }

  func run(on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void) {
    guard time >= .seconds(1) else { return self.queue.async { work() } }
    state.withLock { state in
      state.pauses.append(time)
      state.waiting.append((state.now + time, work))
    }
  }

  /// Lets time pass until the next pause ends, and waits for the work after it.
  func next() async {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      let waiting = state.waiting
      guard let index = waiting.indices.min(by: { waiting[$0].due < waiting[$1].due }) else {
        return nil
      }
      state.now = state.waiting[index].due
      return state.waiting.remove(at: index).work
    }
    guard let work = next else { return }
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }
}
