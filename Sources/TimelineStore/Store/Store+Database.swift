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
    let lock = try FolderLock(folder: folder, on: options.disk)
    let known = try DatabaseMarker.read(in: folder, on: options.disk)
    let marker = try DatabaseMarker.mark(folder, address: database.address, on: options.disk)
    let lease: any DatabaseLease
    do throws(StoreError) {
      lease = try database.acquireLease(as: LeaseHolder(host: host, instance: marker.instance))
    } catch {
      DatabaseMarker.restore(known, in: folder, on: options.disk)
      throw error
    }
    let keeper = LeaseKeeper(lease, runner: options.runner)
    var options = options
    // These are about the disk of this machine, which has no timelines.
    (options.softLimit, options.leastFree) = (.max, 0)
    do {
      try self.init(
        folder: folder, source: lease.source, indexer: indexer, options: options, lock: lock,
        address: database.address, keeper: keeper, now: options.now)
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
