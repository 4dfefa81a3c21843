extension Store {
  /// Opens a store whose rows are in a database that other machines reach, too.
  ///
  /// Blocks until the database has answered. Locks the folder, which is created if it is missing, and
  /// takes the lease of the database. The folder keeps everything that is not rows.
  ///
  /// - Parameter host: the name of this machine, for messages on others.
  package init(
    database: any SharedDatabase, folder: String, host: String,
    indexer: any ChunkIndexer = TimelineIndexer(), options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let folder = try DatabaseFolder(folder, of: database, on: options.disk)
    let lease: any DatabaseLease
    do throws(StoreError) {
      lease = try folder.acquireLease(host: host)
    } catch {
      folder.restore()
      throw error
    }
    try self.init(lease: lease, folder: folder, indexer: indexer, options: options)
  }

  /// Opens a store with the lease of its database. Ends the lease if that fails.
  package init(
    lease: any DatabaseLease, folder: DatabaseFolder,
    indexer: any ChunkIndexer = TimelineIndexer(), options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let keeper = LeaseKeeper(lease, runner: options.runner, now: options.now)
    var options = options
    // These are about the disk of this machine, which has no timelines.
    (options.softLimit, options.leastFree) = (.max, 0)
    do {
      try self.init(
        folder: folder.path, source: lease.source, indexer: indexer, options: options,
        lock: folder.lock, address: folder.database.address, keeper: keeper, now: options.now)
    } catch {
      keeper.release()
      throw error
    }
  }

  /// How durable an acknowledged entry is; `nil` before the database has answered for the first time.
  package nonisolated var durability: Durability? {
    keeper.map(\.durability) ?? .oneMachine
  }

  /// Where the rows are, for people.
  package nonisolated var place: String { address ?? "SQLite" }

  /// What happens to the lease of the database; `nil` if there is no lease.
  package nonisolated var leaseNews: AsyncStream<LeaseNews>? {
    guard let keeper else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: LeaseNews.self)
    keeper.observe { continuation.yield($0) }
    return stream
  }
}
