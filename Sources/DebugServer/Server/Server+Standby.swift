internal import Foundation
internal import TimelineStore
internal import WebSockets

// Waiting until the daemon that serves the database ends.
extension Server {
  /// Opens the store of the database once this daemon has its lease, however long that takes.
  ///
  /// Meanwhile only health checks are answered.
  ///
  /// - Parameter waiting: called once it is clear that another daemon serves.
  /// - Returns: `nil` if the task was canceled before.
  func openStoreWhenLeased(
    of database: any SharedDatabase, waiting: @Sendable () async -> Void
  ) async throws -> Store? {
    let folder: DatabaseFolder
    do {
      folder = try DatabaseFolder(configuration.data, of: database)
    } catch {
      throw ServerError(database: error, at: database.address)
    }
    guard let first = await acquireLease(of: folder) else { return nil }
    var lease = first
    if case .failure(let error) = first {
      guard case .leased = error.reason else {
        folder.restore()
        throw ServerError(database: error, at: database.address)
      }
      let next: Result<any DatabaseLease, StoreError>?
      do {
        next = try await wait(for: folder, after: error, waiting)
      } catch {
        folder.restore()
        throw error
      }
      guard let next, case .success = next else {
        folder.restore()
        if case .failure(let error)? = next {
          throw ServerError(database: error, at: database.address)
        }
        return nil
      }
      lease = next
    }
    do {
      return try Store(lease: try lease.get(), folder: folder, indexer: TimelineIndexer())
    } catch {
      throw ServerError(database: error, at: database.address)
    }
  }

  /// Tries to acquire the lease; `nil` if the task is canceled meanwhile.
  private func acquireLease(
    of folder: DatabaseFolder
  ) async -> Result<any DatabaseLease, StoreError>? {
    let (results, result) = AsyncStream.makeStream(of: Result<any DatabaseLease, StoreError>.self)
    // A database that does not answer must not keep the daemon from ending.
    Thread.detachNewThread {
      let outcome = Result { () throws(StoreError) in
        try folder.acquireLease(
          host: ProcessInfo.processInfo.hostName,
          milliseconds: LeaseHolder.replaceableMilliseconds)
      }
      guard case .terminated = result.yield(outcome), case .success(let lease) = outcome else {
        return result.finish()
      }
      lease.release()
    }
    return await results.first { _ in true }
  }

  private func wait(
    for folder: DatabaseFolder, after error: StoreError, _ waiting: @Sendable () async -> Void
  ) async throws -> Result<any DatabaseLease, StoreError>? {
    let loop = try Self.startLoop()
    let file = StandbyFile(data: folder.path)
    do {
      // What would keep it from serving is better known now than when it takes over.
      _ = try Self.makePages(configuration.web)
      try await listenAsStandby(loop)
      var watch = StandbyWatch()
      report(watch.receive(Self.failure(error)), file)
      await waiting()
      let lease = await poll(folder, &watch, file)
      file.remove()
      await loop.stop()
      if case .success? = lease {
        configuration.log.write(
          LogEvent(
            .info, "standby.ended",
            "The lease of the database has ended, so this daemon serves it now."))
      }
      return lease
    } catch {
      file.remove()
      await loop.stop()
      throw error
    }
  }

  /// Tries again after each third of the lease, until it is acquired, the task is canceled, or the
  /// database can never be used.
  private func poll(
    _ folder: DatabaseFolder, _ watch: inout StandbyWatch, _ file: StandbyFile
  ) async -> Result<any DatabaseLease, StoreError>? {
    let pause = Duration.milliseconds(LeaseHolder.replaceableMilliseconds / 3)
    while (try? await configuration.standbyPause(pause)) != nil {
      guard let lease = await acquireLease(of: folder) else { return nil }
      guard case .failure(let error) = lease else { return lease }
      switch error.reason {
      case .leased, .server: report(watch.receive(Self.failure(error)), file)
      case .held, .newer, .folder, .openFolder, .database, .refusing, .closed, .notFound, .gone,
        .conflict, .ownAncestor, .manyAncestors, .hasBranches, .noEntry, .order, .path, .longPath,
        .damaged, .file, .packing, .packed, .chunk:
        return lease
      }
    }
    return nil
  }

  private static func failure(_ error: StoreError) -> StandbyWatch.Failure {
    guard case .leased(let host, let until) = error.reason else {
      return .unreachable(error.description)
    }
    return .leased(by: host, until: until)
  }

  private func report(_ actions: [StandbyWatch.Action], _ file: StandbyFile) {
    for action in actions {
      switch action {
      case .reportHolder(let host, let until):
        do {
          try file.write(host)
        } catch {
          configuration.log.write(LogEvent(.warning, "standby.file", error.description))
        }
        configuration.log.write(
          LogEvent(
            .info, "standby",
            """
            A daemon on \(host) serves the database; its lease is valid until \(until) unless it is \
            renewed. This daemon is a standby, and takes over when the lease ends.
            """, ["host": host, "until": until]))
      case .reportProblem(let why):
        configuration.log.write(LogEvent(.warning, "standby.problem", why))
      case .reportRecovery:
        configuration.log.write(
          LogEvent(.info, "standby.recovered", "The database answers again."))
      }
    }
  }
}

// Listening.
extension Server {
  private func listenAsStandby(_ loop: Loop) async throws {
    for (index, place) in configuration.places.enumerated() {
      do {
        let port = try await listenAsStandby(
          loop, on: .tcp(host: place.host, port: place.port), .port)
        let shown = ServerConfiguration.Place(host: place.host, port: port)
        let address = "\(configuration.identity == nil ? "http" : "https")://\(shown)/health"
        configuration.log.write(
          LogEvent(
            .info, "standby.listening", "Health checks are answered at \(address).",
            ["address": address]))
      } catch let error as ServerError where place.host == "::1" && index > 0 {
        configuration.log.write(LogEvent(.warning, "listening.not", error.description))
      }
    }
    if let socket = configuration.socket {
      _ = try await listenAsStandby(loop, on: .unix(path: socket), .socket)
    }
  }

  private func listenAsStandby(
    _ loop: Loop, on address: ListenAddress, _ entrance: Entrance
  ) async throws -> Int {
    var options = ListenerOptions()
    options.headers = ResponseHeaders.all
    // A few load balancers, and the recorders that try this daemon.
    options.maxConnections = configuration.limits.strangers
    options.maxConnectionsOfPeer = options.maxConnections
    if entrance == .port {
      options.identity = configuration.identity.map {
        ServerIdentity(certificatePath: $0.certificate, keyPath: $0.key)
      }
    }
    do {
      return try await loop.run { [options] loop in
        try loop.listen(on: address, handler: StandbyHandler(entrance), options: options).port
      }
    } catch {
      throw ServerError(.listen(configuration.listenProblem(error, on: address)))
    }
  }
}
