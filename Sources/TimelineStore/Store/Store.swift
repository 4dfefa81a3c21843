import Synchronization
import Timelines

/// Stores timelines: entries are durable once they are acknowledged, and readable at once.
///
/// One thread writes. Batches that arrive during a commit go into the next commit together, so that
/// acknowledgments keep pace with the disk however many recorders there are.
///
/// ```swift
/// let store = try Store(folder: folder, indexer: indexer)
/// store.open(header) { opened in … }
/// store.append(AppendBatch(header.timeline, entries)) { appended in
///   // On the store's thread, once the entries are durable: appended.durable
/// }
/// let moment = try await store.read { reader in
///   try reader.moment(of: reader.lineage(of: id), at: 1042)
/// }
/// ```
/// While the disk is full or failing, appending waits without acknowledgment, and reading
/// continues; the store retries automatically.
package actor Store {
  package nonisolated let options: StoreOptions

  package nonisolated let folder: String

  nonisolated let indexer: any ChunkIndexer
  nonisolated let thread: StoreThread
  nonisolated let sealer: Sealer
  nonisolated let readers: ReaderPool
  nonisolated let caches: StoreCaches

  /// What was submitted and is not committed yet, in order.
  nonisolated let inbox = Mutex(WriterInbox())

  /// The state that other threads see; it changes only on the store's thread.
  nonisolated let shared = Mutex(SharedState())

  let source: any RowSource
  var rows: (any RowWriting)?
  let lock: FolderLock?

  /// Renews the lease of a shared database.
  nonisolated let keeper: LeaseKeeper?

  /// The address of a shared database.
  nonisolated let address: String?

  /// The last requested prune; the next one follows it.
  nonisolated let pruning = Mutex<Task<Pruned, any Error>?>(nil)

  /// The timelines that are being written.
  var live: [TimelineID: LiveTimeline] = [:]
  var nextRow: Int64

  /// The shapes to check patches against before they are acknowledged.
  var shapes: ShapeCache

  /// Counts writes, to find the least recently used timelines.
  var commits: UInt64 = 0

  /// The number of commits at which the free space is measured again.
  var nextMeasure: UInt64 = 0

  /// Whether the last measurement gave a warning.
  var isWarned = false

  /// Receives warnings; nothing is measured without it.
  var warner: (@Sendable (String) -> Void)?

  /// The retries since writing failed.
  var failures = 0

  /// Counts the connections, so that chunks sealed for an earlier one are dropped.
  var generation = 0

  /// The bytes that the sealer has not finished.
  var sealingBytes = 0

  /// Whether sealed runs go into the next commit, however few.
  var isSealedDue = false

  /// Whether a piece of maintenance is scheduled.
  var isTidying = false

  /// The wall clock in microseconds since 1970.
  let now: @Sendable () -> Int64

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Opens the store in a folder, which is created if it is missing.
  ///
  /// Blocks while the database is opened. If the disk does not permit writing, for example to
  /// rebuild an index of another version, the store starts by refusing writes: stored data can be
  /// read, and it retries automatically.
  package init(
    folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let disk = options.disk
    let lock = try FolderLock(folder: folder, on: disk)
    let path = folder + "/" + DatabaseFile.name
    try InterruptedSwap.finish(in: folder, on: disk)
    try self.init(
      folder: folder, source: SQLiteSource(path: path, disk: disk), indexer: indexer,
      options: options, lock: lock, now: options.now)
  }

  /// Opens a store whose rows are elsewhere; the folder is that of the data that is not rows.
  package init(
    source: any RowSource, folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    try self.init(
      folder: folder, source: source, indexer: indexer, options: options, lock: nil,
      now: options.now)
  }

  /// Reads a folder's database, and writes by other means.
  init(
    folder: String, indexer: any ChunkIndexer, options: StoreOptions, lock: FolderLock?,
    now: @escaping @Sendable () -> Int64,
    openRows: @escaping @Sendable () throws(StoreError) -> any RowWriting
  ) throws(StoreError) {
    let database = SQLiteSource(path: folder + "/" + DatabaseFile.name, disk: options.disk)
    try self.init(
      folder: folder, source: OtherWriting(reading: database, writing: openRows),
      indexer: indexer, options: options, lock: lock, now: now)
  }

  init(
    folder: String, source: any RowSource, indexer: any ChunkIndexer, options: StoreOptions,
    lock: FolderLock?, address: String? = nil, keeper: LeaseKeeper? = nil,
    now: @escaping @Sendable () -> Int64
  ) throws(StoreError) {
    self.folder = folder
    self.indexer = indexer
    self.options = options
    self.lock = lock
    self.keeper = keeper
    self.address = address
    self.now = now
    self.source = source
    shapes = ShapeCache(capacity: options.shapeBytes)
    var problem: StoreError?
    do {
      let rows = try source.openWriting(indexer: indexer)
      // An earlier attempt or process may have ended with a failed sync.
      try rows.syncLog()
      nextRow = try rows.lastRow() + 1
      self.rows = rows
    } catch {
      guard source.leavesReading(after: error) else { throw error }
      nextRow = 1
      rows = nil
      problem = error
    }
    thread = StoreThread(name: "store.writer", runner: options.runner)
    sealer = Sealer(indexer: indexer, options: options)
    caches = StoreCaches(options)
    readers = ReaderPool(
      source: source, caches: caches, count: max(1, options.readers), runner: options.runner)
    if let problem {
      shared.withLock { $0.state = .refusing(Self.sentence(for: problem)) }
      readers.setFrozen(true)
      thread.call { [weak self] in self?.assumeIsolated { $0.retryLater() } }
    } else {
      // Continue what an earlier process left unfinished.
      thread.call { [weak self] in self?.assumeIsolated { $0.performMaintenance() } }
    }
  }

  /// Runs a closure over one moment of the store, on a reading thread.
  package nonisolated func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    try await readers.read(body)
  }

  package nonisolated var state: StoreState { shared.withLock { $0.state } }

  /// Calls a closure on the store's thread each time the state changes, and soon if the store does
  /// not write at the start.
  package nonisolated func onStateChange(_ body: @escaping @Sendable (StoreState) -> Void) {
    thread.call { [weak self] in
      guard let self else { return }
      shared.withLock { $0.observer = body }
      if case .refusing = state { body(state) }
    }
  }

  /// Closes the store: submissions are written or fail; then all connections are closed and the
  /// folder is unlocked.
  package func close() {
    while state == .open, inbox.withLock({ !$0.isEmpty }) { commitPending(isLast: true) }
    set(.closed)
    refuseRest()
    readers.stop()
    readers.waitForEnd()
    rows = nil
    live = [:]
    shapes = ShapeCache(capacity: 0)
    keeper?.release()
    lock?.release()
  }
}

/// The state of a store that other threads see.
struct SharedState {
  var state = StoreState.open
  var observer: (@Sendable (StoreState) -> Void)?
}
