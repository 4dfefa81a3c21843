import Synchronization
import Timelines

/// Keeps timelines: what is appended is durable when it is acknowledged, and readable at once.
///
/// One thread writes. Batches that arrive while it commits go into the next commit together, so that
/// acknowledgements keep pace with the disk however many recorders there are.
///
/// ```swift
/// let store = try Store(folder: folder, indexer: indexer)
/// store.open(header) { opened in … }
/// store.append(AppendBatch(header.timeline, entries)) { appended in
///   // On the store's thread, once the entries survive anything: appended.durable
/// }
/// let moment = try await store.read { reader in
///   try reader.moment(of: reader.lineage(of: id), at: 1042)
/// }
/// ```
/// While the disk is full or fails, appending waits and is not acknowledged, reading goes on; the
/// store tries again by itself.
package actor Store {
  /// How it works.
  package nonisolated let options: StoreOptions

  /// The folder with the database.
  package nonisolated let folder: String

  nonisolated let indexer: any ChunkIndexer
  nonisolated let thread: StoreThread
  nonisolated let sealer: Sealer
  nonisolated let readers: ReaderPool
  nonisolated let caches: StoreCaches

  /// What was handed in and is not committed yet, in order.
  nonisolated let inbox = Mutex(WriterInbox())

  /// What others see of the state; it changes on the store's thread only.
  nonisolated let shared = Mutex(SharedState())

  /// Makes the rows' keeper anew after a fault.
  let openRows: @Sendable () throws(StoreError) -> any RowWriting
  var rows: (any RowWriting)?
  let lock: FolderLock?

  /// The last prune that was asked for; the next one comes after it.
  nonisolated let pruning = Mutex<Task<Pruned, any Error>?>(nil)

  /// The timelines that are being written, as their rows stand.
  var live: [TimelineID: LiveTimeline] = [:]
  var nextRow: Int64

  /// What patches are checked against before they are acknowledged.
  var shapes: ShapeCache

  /// Counts what was written, to know what was used last.
  var commits: UInt64 = 0

  /// The count of commits from which on the room is measured again.
  var nextMeasure: UInt64 = 0

  /// Whether the last measuring gave a warning.
  var isWarned = false

  /// Counts the connections, so that what was sealed for an earlier one is not written.
  var generation = 0

  /// The bytes that the sealer has not finished.
  var sealingBytes = 0

  /// Whether sealed runs go into the next commit, however few.
  var isSealedDue = false

  /// Whether a piece of the work that can wait is on its way.
  var isTidying = false

  /// Tells the wall clock in microseconds since 1970.
  let now: @Sendable () -> Int64

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Opens the store in a folder, which is made when it is missing.
  ///
  /// Blocks while the database is opened. Where the disk does not let that write, as an index of
  /// another version wants when there is no room, the store begins by refusing: what is there can be
  /// read, and it goes on by itself.
  package init(
    folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let disk = options.disk
    let lock = try FolderLock(folder: folder, on: disk)
    let path = folder + "/" + Self.fileName
    try InterruptedSwap.finish(in: folder, on: disk)
    try self.init(
      folder: folder, indexer: indexer, options: options, lock: lock, now: options.now
    ) { () throws(StoreError) in
      try SQLiteRows(path: path, on: disk, indexer: indexer)
    }
  }

  init(
    folder: String, indexer: any ChunkIndexer, options: StoreOptions, lock: FolderLock?,
    now: @escaping @Sendable () -> Int64,
    openRows: @escaping @Sendable () throws(StoreError) -> any RowWriting
  ) throws(StoreError) {
    self.folder = folder
    self.indexer = indexer
    self.options = options
    self.lock = lock
    self.now = now
    self.openRows = openRows
    shapes = ShapeCache(capacity: options.shapeBytes)
    var problem: StoreError?
    do {
      let rows = try openRows()
      nextRow = try rows.lastRow() + 1
      self.rows = rows
    } catch {
      guard error.leavesReading(folder + "/" + Self.fileName, options.disk) else { throw error }
      nextRow = 1
      rows = nil
      problem = error
    }
    thread = StoreThread(name: "store.writer", runner: options.runner)
    sealer = Sealer(indexer: indexer, options: options)
    caches = StoreCaches(options)
    readers = ReaderPool(
      path: folder + "/" + Self.fileName, on: options.disk, caches: caches,
      count: max(1, options.readers), runner: options.runner)
    if let problem {
      shared.withLock { $0.state = .refusing(Self.words(for: problem)) }
      readers.setFrozen(true)
      thread.call { [weak self] in self?.assumeIsolated { $0.retryLater() } }
    } else {
      // What an earlier process left undone.
      thread.call { [weak self] in self?.assumeIsolated { $0.tidy() } }
    }
  }

  /// The database in the folder.
  static let fileName = "timelines.sqlite"

  /// Runs a closure over one moment of the store, on a thread that reads.
  package nonisolated func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    try await readers.read(body)
  }

  /// Whether it writes.
  package nonisolated var state: StoreState { shared.withLock { $0.state } }

  /// Calls a closure on the store's thread each time the state changes, and soon when the store does
  /// not write to begin with.
  package nonisolated func onStateChange(_ body: @escaping @Sendable (StoreState) -> Void) {
    thread.call { [weak self] in
      guard let self else { return }
      shared.withLock { $0.observer = body }
      if case .refusing = state { body(state) }
    }
  }

  /// Ends the store in order: what was handed in is written, or answered by an error; then all
  /// connections are closed and the folder is free.
  package func close() {
    while state == .open, inbox.withLock({ !$0.isEmpty }) { commitPending(isLast: true) }
    set(.closed)
    refuseRest()
    readers.stop()
    readers.waitForEnd()
    rows = nil
    live = [:]
    shapes = ShapeCache(capacity: 0)
    lock?.release()
  }
}

/// What other threads see of a store.
struct SharedState {
  var state = StoreState.open
  var observer: (@Sendable (StoreState) -> Void)?
  var warner: (@Sendable (String) -> Void)?
}
