internal import Reruns
internal import TimelineStore
import Timelines
package import Wire

/// Answers from the store itself, where no daemon is running.
package final class LocalBackend: Backend {
  private let store: Store
  private let queries: QueryService
  private let sessions: SessionFile
  private let configuration: ServerConfiguration

  /// Opens the store of a data directory.
  ///
  /// - Throws: ``ServerError`` if it cannot be opened, such as when a daemon holds it.
  package init(_ configuration: ServerConfiguration) throws(ServerError) {
    try configuration.checkTimelinesAreHere()
    do {
      store = try Store(folder: configuration.data, indexer: TimelineIndexer())
    } catch {
      if case .held(let folder, let holder) = error.reason {
        throw ServerError(.held(configuration.heldData(folder, holder)))
      }
      throw ServerError(.data(error.description))
    }
    queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: configuration.limits),
      web: configuration.web, sources: configuration.sources, limits: configuration.limits)
    sessions = SessionFile(configuration.sessionFile)
    self.configuration = configuration
  }

  package func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch request {
    case .sessions: return .message(.sessions(try listSessions()))
    case .revoke(let revoke): return .message(.done(try end(session: revoke.session)))
    case .compare(let timelines) where timelines.with != nil:
      return try await compare(request, each)
    case .explain(let asked): return .message(.explain(try await explain(asked, each)))
    case .fork, .verify, .compare, .minimize, .explore, .compute:
      throw .refused(Refusal.needsDaemon(request, start: configuration.start).reply)
    case .hello, .cancel, .hold, .restore, .dispatch, .step, .resume, .capture, .invite, .host,
      .hosts, .status, .watch, .error:
      throw noDaemon
    case .timelines, .entries, .state, .raw, .diff, .changes, .find, .column, .series, .overview,
      .rename, .delete, .mark, .import, .part, .export, .prune, .check, .growth, .invariants,
      .source,
      .filters, .manifest,
      .fetch,
      .offer,
      .deposit, .finish:
      return try await query(request, each)
    }
  }

  private func query(
    _ request: FromInspector, _ each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let answer = await withoutActuallyEscaping(each) { each in
      await queries.answer(.request(request), report: each)
    }
    switch answer {
    case .message(let message): return .message(message)
    case .overview(let frame): return .overview(frame)
    case .deleted: return .message(.done(ToInspector.Done()))
    case .pruned(let pruned): return .message(.prune(pruned))
    case .refused(let refusal): throw .refused(refusal.reply)
    case .summaries, .encoded: throw .unexpected("a result that only a daemon uses")
    }
  }

  /// Compares two timelines, which needs no host.
  private func compare(
    _ request: FromInspector, _ each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let hosts = HostManager(
      HostSettings(), observer: HostLog(SilentLog(), output: StreamLog.standardError(form: .human)))
    let reruns = RerunService(store: store, hosts: hosts) { fork in
      throw Refusal.needsDaemon(.fork(fork))
    }
    do {
      return try await withoutActuallyEscaping(each) { each in
        .message(try await reruns.answer(request, report: each))
      }
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
  }

  /// Explains an entry without its fewest events, which need a host.
  private func explain(
    _ asked: FromInspector.Explain, _ each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> ToInspector.Explain {
    let start = configuration.start
    let minimize = FromInspector.minimize(FromInspector.Minimize { $0.timeline = asked.timeline })
    let reruns = RerunService(
      store: store, hosts: NoHosts(refusal: Refusal.needsDaemon(minimize, start: start))
    ) { fork in
      throw Refusal.needsDaemon(.fork(fork), start: start)
    }
    do {
      return try await withoutActuallyEscaping(each) { each in
        try await reruns.explain(asked, each)
      }
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
  }

  package func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  package func close() async { await store.close() }

  private var noDaemon: BackendError {
    .refused(Refusal(.failed, configuration.noDaemon).reply)
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
        throw BackendError.refused(Refusal.noSession(id).reply)
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

/// What a command has that finds no daemon.
private struct NoHosts: ReducerHosts {
  let refusal: Refusal

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    throw refusal
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting { throw refusal }
}

extension ToInspector.Session {
  /// A session as it is reported to inspectors.
  init(_ session: SessionTable.Session) {
    self.init {
      $0.id = session.id
      $0.capabilities = session.capabilities
      $0.client = session.client
      $0.created = session.created.text
      $0.expires = session.expires?.text
    }
  }
}
