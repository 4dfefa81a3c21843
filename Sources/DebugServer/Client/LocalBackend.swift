internal import TimelineStore
package import Timelines

/// Answers from the store itself, where no daemon runs.
package final class LocalBackend: Backend {
  private let store: Store
  private let lookUps: LookUps
  private let sessions: SessionFile
  /// The command that starts the daemon of this data.
  private let start: String

  /// Opens the store of a data directory.
  ///
  /// - Throws: ``ServerError`` when it cannot be opened, such as when a daemon holds it.
  package init(_ configuration: ServerConfiguration) throws(ServerError) {
    do {
      store = try Store(folder: configuration.data, indexer: TimelineIndexer())
    } catch {
      if case .held = error.reason { throw ServerError(.held(error.description)) }
      throw ServerError(.data(error.description))
    }
    lookUps = LookUps(
      store: store, uploads: Uploads(store: store, limits: configuration.limits),
      limits: configuration.limits)
    sessions = SessionFile(configuration.sessionFile)
    start = configuration.start
  }

  package func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch request {
    case .sessions: return .message(.sessions(try listSessions()))
    case .revoke(let revoke): return .message(.done(try end(session: revoke.session)))
    case .hosts: return .message(.hosts(ToInspector.Hosts()))
    case .fork, .verify, .compare, .minimise, .compute:
      throw .refused(HostPool().refusal(of: request, start: start).reply)
    case .hello, .cancel, .hold, .restore, .dispatch, .step, .resume, .capture, .invite, .host,
      .error:
      throw noDaemon
    default: return try await look(request, each)
    }
  }

  private func look(
    _ request: FromInspector, _ each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let answer = await withoutActuallyEscaping(each) { each in
      await lookUps.answer(.request(request), report: each)
    }
    switch answer {
    case .message(let message): return .message(message)
    case .overview(let frame): return .overview(frame)
    case .deleted: return .message(.done(ToInspector.Done()))
    case .pruned(let pruned): return .message(.prune(pruned))
    case .refused(let refusal): throw .refused(refusal.reply)
    case .summaries: throw .unexpected("a list without a question")
    }
  }

  package func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  package func close() async { await store.close() }

  private var noDaemon: BackendError {
    .refused(Refusal(.failed, "No daemon is running. To fix, start it: \(start)").reply)
  }

  private func listSessions() throws(BackendError) -> ToInspector.Sessions {
    do {
      let table = try sessions.load()
      return ToInspector.Sessions {
        $0.sessions = table.sessions.map { ToInspector.Session($0) }
      }
    } catch {
      throw .refused(Refusal(.failed, error.description).reply)
    }
  }

  private func end(session id: String) throws(BackendError) -> ToInspector.Done {
    do {
      var table = try sessions.load()
      guard table.revoke(id: id) else {
        throw BackendError.refused(
          Refusal(.notFound, "There is no session \(id).", path: "session").reply)
      }
      try sessions.save(table)
      return ToInspector.Done()
    } catch let error as BackendError {
      throw error
    } catch {
      throw .refused(Refusal(.failed, "\(error)").reply)
    }
  }
}

extension ToInspector.Session {
  /// What is told of a session.
  init(_ session: SessionTable.Session) {
    self.init {
      $0.id = session.id
      $0.capabilities = session.capabilities
      $0.client = session.client
      $0.created = session.created.text
    }
  }
}
