import Dispatch
import Foundation
import Synchronization

/// Threads that read, each with a connection of its own.
///
/// One more than asked for reads for recorders alone: what inspectors ask, and however long that
/// takes, keeps no recorder waiting.
final class ReaderPool: Sendable {
  private typealias Look = @Sendable (Result<StoreReader, StoreError>) -> Void

  private struct State {
    var looks: LookQueue<Look>
    var isStopped = false
    /// Whether the store does not write, so that the file is complete if it has no log.
    var isFrozen = false
  }

  /// What the threads share; they end when it is stopped.
  private final class Queue: Sendable {
    let state: Mutex<State>
    /// Of the threads for all lanes.
    let wake = DispatchSemaphore(value: 0)
    /// Of the thread for recorders.
    let wakeForRecorders = DispatchSemaphore(value: 0)
    /// The looks at the file alone.
    let frozenLooks = DispatchGroup()

    init(maximumPerSession: Int) {
      state = Mutex(State(looks: LookQueue(maximumPerSession: maximumPerSession)))
    }

    func add(_ look: @escaping Look, to lane: ReadLane) -> Bool {
      let isAdded = state.withLock { state in
        if !state.isStopped { state.looks.add(look, to: lane) }
        return !state.isStopped
      }
      guard isAdded else { return false }
      wake.signal()
      if lane == .recorder { wakeForRecorders.signal() }
      return true
    }

    /// Begins a look at the file alone, when that is allowed.
    func beginFrozen() -> Bool {
      state.withLock { state in
        if state.isFrozen { frozenLooks.enter() }
        return state.isFrozen
      }
    }

    /// Waits for a look of any lane, or of recorders; `nil` when none will come anymore.
    func next(forRecorders: Bool) -> (look: Look, lane: ReadLane)? {
      while true {
        (forRecorders ? wakeForRecorders : wake).wait()
        let (next, isStopped) = state.withLock { state in
          guard forRecorders else { return (state.looks.next(), state.isStopped) }
          return (state.looks.next(of: .recorder).map { ($0, .recorder) }, state.isStopped)
        }
        // Another thread may have removed what woke this one.
        if next != nil || isStopped { return next }
      }
    }

    /// Records that a look has ended, and wakes a thread for one that waited for that.
    func end(of lane: ReadLane) {
      let isWaiting = state.withLock { state in
        state.looks.end(of: lane)
        return !state.looks.isEmpty
      }
      if isWaiting { wake.signal() }
    }
  }

  private let queue: Queue
  private let ended = DispatchGroup()
  private let count: Int
  /// What reads in place of the threads.
  private let single: SingleReader?

  init(
    source: any RowSource, caches: StoreCaches, count: Int,
    runner: (any StoreRunner)? = nil
  ) {
    queue = Queue(maximumPerSession: max(1, count - 1))
    single = runner.map { SingleReader($0, source, caches: caches) }
    self.count = runner == nil ? count : 0
    guard runner == nil else { return }
    for number in 0...count {
      let (queue, ended) = (queue, ended)
      ended.enter()
      let thread = Thread {
        var reader: StoreReader?
        while let (look, lane) = queue.next(forRecorders: number == 0) {
          Self.run(look, source, caches: caches, queue, &reader)
          queue.end(of: lane)
        }
        reader = nil
        ended.leave()
      }
      thread.name = "store.reader.\(number)"
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  deinit {
    stop()
  }

  /// The looks that wait for a thread.
  var waitingCount: Int { queue.state.withLock { $0.looks.count } }

  /// Runs a closure on one of the threads, over one moment of the database.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    let lane = ReadLane.current
    return try await withCheckedThrowingContinuation { continuation in
      let look: Look = { reader in
        continuation.resume(with: Result { try reader.get().looking(body) })
      }
      let isAdded = queue.add(look, to: lane)
      if isAdded { readLater() }
      if !isAdded { continuation.resume(throwing: StoreError(.closed)) }
    }
  }

  /// Sets whether the store does not write. In that state, reads need no SQLite log, for which the
  /// disk may have no space. Returns when no read relies on the previous state.
  func setFrozen(_ isFrozen: Bool) {
    queue.state.withLock { $0.isFrozen = isFrozen }
    if !isFrozen { queue.frozenLooks.wait() }
  }

  /// Ends the threads after what they have been given.
  func stop() {
    let wasStopped = queue.state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    guard !wasStopped else { return }
    for _ in 0..<count { queue.wake.signal() }
    queue.wakeForRecorders.signal()
  }

  /// Waits until every connection is closed. Not for a thread that others wait for.
  func waitForEnd() {
    while readOne() {}
    single?.reader.withLock { $0 = nil }
    ended.wait()
  }

  private static func run(
    _ look: Look, _ source: any RowSource, caches: StoreCaches, _ queue: Queue,
    _ reader: inout StoreReader?
  ) {
    if let reader { return look(.success(reader)) }
    do {
      let opened = StoreReader(try source.openReading(), caches: caches)
      reader = opened
      look(.success(opened))
    } catch {
      guard source.isReadableFrozen(after: error), queue.beginFrozen() else {
        return look(.failure(error))
      }
      defer { queue.frozenLooks.leave() }
      look(
        Result { () throws(StoreError) in
          StoreReader(try source.openFrozen(), caches: caches)
        })
    }
  }
}

// Reading without threads.
extension ReaderPool {
  /// The one connection that reads where a runner takes the place of the threads.
  private final class SingleReader: Sendable {
    let runner: any StoreRunner
    let source: any RowSource
    let caches: StoreCaches
    let reader = Mutex<StoreReader?>(nil)

    init(_ runner: any StoreRunner, _ source: any RowSource, caches: StoreCaches) {
      self.runner = runner
      self.source = source
      self.caches = caches
    }
  }

  private func readLater() {
    single?.runner.run(on: "store.reader") { [weak self] in _ = self?.readOne() }
  }

  /// Has the next look; `false` when there is none.
  private func readOne() -> Bool {
    guard let single, let (look, lane) = queue.state.withLock({ $0.looks.next() }) else {
      return false
    }
    single.reader.withLock { reader in
      Self.run(look, single.source, caches: single.caches, queue, &reader)
    }
    queue.end(of: lane)
    return true
  }
}

extension StoreReader {
  /// Runs a closure over one moment of the database.
  fileprivate func looking<Value>(_ body: (StoreReader) throws -> Value) throws -> Value {
    try rows.beginMoment()
    defer {
      latest = nil
      rows.endMoment()
    }
    return try body(self)
  }
}
