internal import Foundation
internal import TimelineStore
internal import Timelines

// A database in place of the data folder's own.
extension Server {
  /// Opens the store: in the data folder, or in the database.
  ///
  /// - Returns: `nil` if the task was canceled while this daemon was a standby.
  func openStore(_ waiting: @Sendable () async -> Void) async throws -> Store? {
    let data = configuration.data
    guard let database = configuration.database else {
      try configuration.checkTimelinesAreHere()
      do {
        return try Store(folder: data, indexer: TimelineIndexer())
      } catch {
        if case .held = error.reason { throw ServerError(.held(error.description)) }
        throw ServerError(.data(error.description))
      }
    }
    if configuration.isStandby {
      return try await openStoreWhenLeased(of: database, waiting: waiting)
    }
    do {
      return try Store(
        database: database, folder: data, host: ProcessInfo.processInfo.hostName,
        indexer: TimelineIndexer())
    } catch {
      throw ServerError(database: error, at: database.address)
    }
  }

  /// Maintains the parts until the task is canceled, or the lease of the database is lost.
  ///
  /// - Throws: ``ServerError`` if it is lost.
  func runWhileLeased(
    _ store: Store, _ parts: DaemonParts, _ current: CurrentSettings
  ) async throws {
    guard let news = store.leaseNews else { return await runMaintenance(store, parts, current) }
    try await withThrowingTaskGroup { group in
      group.addTask { await runMaintenance(store, parts, current) }
      group.addTask { try await follow(news) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Closes the store. A database that does not answer does not keep the daemon from ending.
  func close(_ store: Store) async {
    guard configuration.database != nil else { return await store.close() }
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Task {
      await store.close()
      end.yield(true)
    }
    Task {
      try? await Task.sleep(for: .seconds(5))
      end.yield(false)
    }
    // A task of its own, because this one may be canceled, which would end the stream.
    let isClosed = await Task { await ends.first { _ in true } ?? false }.value
    guard !isClosed else { return }
    configuration.log.write(
      LogEvent(
        .warning, "lease.kept",
        "The database does not answer, so the daemon stops without ending its lease, which expires "
          + "by itself."))
  }

  private func follow(_ news: AsyncStream<LeaseNews>) async throws {
    for await item in news {
      switch item {
      case .durability(let durability):
        configuration.log.write(
          LogEvent(.info, "durability", durability.sentence, ["machines": durability.machines]))
      case .lost:
        throw ServerError(
          .leaseLost(
            """
            Another daemon has taken over the database, so this one ends. What it had not \
            acknowledged, recorders still have. To continue, use the other daemon.
            """))
      }
    }
  }
}

extension Durability {
  /// For the log.
  fileprivate var sentence: String {
    switch self {
    case .oneMachine: "Saved means: on one machine, that of the database."
    case .twoMachines: "Saved means: on two machines, that of the database and a standby."
    }
  }
}

extension ServerError {
  /// A database cannot be opened.
  init(database error: StoreError, at address: String) {
    switch error.reason {
    case .held, .leased: self.init(.held(error.description))
    case .server(let fault):
      self.init(
        .data("The database cannot be used: \(fault). \(fault.remedy(at: address))"))
    case .newer(let format, let known):
      self.init(
        .data(
          """
          The database has format \(format); this build knows formats up to \(known). To fix, use a \
          newer build, or another database.
          """))
    case .folder, .openFolder, .database, .refusing, .closed, .notFound, .gone, .conflict,
      .ownAncestor, .manyAncestors, .hasBranches, .noEntry, .order, .path, .longPath, .damaged,
      .file, .packing, .packed, .chunk:
      self.init(.data(error.description))
    }
  }
}

extension ServerConfiguration {
  /// Refuses a data folder whose timelines are in a database: a new file would hide them.
  func checkTimelinesAreHere() throws(ServerError) {
    guard let marker = try databaseMarker() else { return }
    do {
      // Its daemon may be running, with another socket.
      try Store.checkLock(of: data)
    } catch {
      guard case .held(_, let holder) = error.reason else {
        throw ServerError(.data(error.description))
      }
      if let host = holder.flatMap({ StandbyFile(data: data).host(ofProcess: $0.pid) }) {
        throw ServerError(.standby(data: data, host: host))
      }
      throw ServerError(.held(error.description))
    }
    throw ServerError(
      .missing(
        """
        The timelines of \(data) are in a database, and no daemon serves it here. To fix, run: \
        \(start) --store \(marker.address.shellWord)
        """))
  }

  /// Refuses to recover a data folder whose timelines are in a database.
  package func checkIsRecoverable() throws(ServerError) {
    guard try databaseMarker() != nil else { return }
    throw ServerError(
      .data(
        """
        The timelines of \(data) are in a database, so there is nothing to recover here. To fix, \
        restore the database from its own backup.
        """))
  }

  /// Whether the timelines of the data folder are in a database.
  package var hasDatabase: Bool { (try? databaseMarker()) != nil }

  private func databaseMarker() throws(ServerError) -> DatabaseMarker? {
    do {
      return try DatabaseMarker.read(in: data)
    } catch {
      throw ServerError(.data(error.description))
    }
  }
}
