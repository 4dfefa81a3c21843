internal import JSONCore
package import Reruns
internal import TimelineStore
package import Timelines
internal import Wire

/// Answers queries about stored timelines.
///
/// It knows no connections: the daemon runs it for inspectors, and a command line that finds no
/// daemon runs it directly. Both get the same answers.
package struct QueryService: Sendable {
  let store: Store
  let limits: ServerLimits
  let uploads: Uploads
  let deposits = Deposits()
  let filters: FilterBook
  /// Reads the sources that the daemon may show.
  let callSites: CallSites
  /// Computes branches; `nil` where no daemon is running.
  let branches: Branches?
  /// Verifies, compares, minimizes, and explores; `nil` where nothing runs reducers.
  let proofs: RerunService?
  /// The folder of the page, for exports that contain it.
  let web: String?

  /// Reports progress, or sends a part of an answer; returns once there is room for the next.
  package typealias Report = ProgressReport

  init(
    store: Store, uploads: Uploads, branches: Branches? = nil, proofs: RerunService? = nil,
    web: String? = nil, sources: SourceSettings = SourceSettings(), limits: ServerLimits
  ) {
    self.web = web
    self.store = store
    filters = FilterBook(folder: store.folder)
    callSites = CallSites(sources)
    self.uploads = uploads
    self.branches = branches
    self.proofs = proofs
    self.limits = limits
  }

  package func answer(
    _ question: StoreQuery, live: @escaping @Sendable () async -> Set<TimelineID> = { [] },
    report: @escaping Report
  ) async -> QueryResult {
    do {
      try await waitForBranches(of: question)
      switch question {
      case .request(.prune(let asked)): return .pruned(try await prune(asked, live: live))
      case .request(.offer(let asked)):
        return .message(.offer(try await offer(asked, live: live)))
      case .request(.deposit(let asked)):
        return .message(.done(try await deposit(asked, live: live)))
      case .request(.finish(let asked)):
        return .message(.done(try await finish(asked, live: live)))
      case .request(let request): return try await answer(request, report: report)
      case .follow(let timeline, let after, let filter):
        return .message(.live(try await follow(timeline, after: after, filter: filter)))
      case .summaries(let timelines): return .summaries(try await summaries(of: timelines))
      case .abandon(let upload):
        await uploads.cancel(upload)
        return .message(.done(ToInspector.Done()))
      case .drop(let timeline):
        await deposits.drop(timeline)
        return .message(.done(ToInspector.Done()))
      case .state(let moment): return .message(.state(try await stateToRestore(moment)))
      }
    } catch {
      return .refused(Refusal(of: error, about: store.folder))
    }
  }

  private func answer(
    _ request: FromInspector, report: @escaping Report
  ) async throws -> QueryResult {
    switch request {
    case .timelines(let asked): .message(.timelines(try await timelines(asked)))
    case .watch(let watch): .message(.done(try await lastSeq(of: watch.timeline)))
    case .status: .message(.status(try await status()))
    case .entries(let asked): .message(.entries(try await entries(asked, report: report)))
    case .state(let asked): .message(.state(try await state(asked)))
    case .raw(let asked): .message(.raw(try await raw(asked)))
    case .diff(let asked): .message(.diff(try await diff(asked)))
    case .changes(let asked): .message(.changes(try await changes(asked)))
    case .find(let asked): .message(.find(try await find(asked, report: report)))
    case .column(let asked): .message(.column(try await column(asked)))
    case .series(let asked): .message(.series(try await series(asked)))
    case .overview(let asked): .overview(try await overview(asked))
    case .rename(let asked): .message(.done(try await rename(asked)))
    case .mark(let asked): .message(.done(try await mark(asked)))
    case .delete(let asked): .deleted(try await delete(asked))
    case .`import`(let asked): .message(.`import`(try await begin(asked)))
    case .part(let asked): .message(.`import`(try await receive(asked)))
    case .export(let asked): .message(.export(try await export(asked, report: report)))
    case .check(let asked): .message(.check(try await check(asked)))
    case .growth(let asked): .message(.growth(try await growth(asked, report: report)))
    case .invariants(let asked):
      .message(.invariants(try await invariants(asked, report: report)))
    case .source(let asked): .message(.source(try await source(asked)))
    case .filters(let asked): .message(.filters(try await filters.answer(asked)))
    case .manifest(let asked): .message(.manifest(try await manifest(asked)))
    case .fetch(let asked): .message(.fetch(try await fetch(asked)))
    case .fork(let asked): .message(.fork(try await fork(asked)))
    case .verify, .compare, .minimize: .message(try await prove(request, report: report))
    case .explore(let asked): .message(.explore(try await explore(asked, report: report)))
    case .explain(let asked): .message(.explain(try await explain(asked, report: report)))
    case .compute(let asked): .message(.done(try await compute(asked, report: report)))
    case .hello, .cancel, .hold, .restore, .dispatch, .step, .resume, .capture, .prune,
      .sessions, .revoke, .invite, .hosts, .host, .offer, .deposit, .finish, .error:
      throw Refusal(.failed, "The store cannot answer this request.")
    }
  }
}

extension QueryService {
  private func prove(
    _ request: FromInspector, report: @escaping Report
  ) async throws -> ToInspector {
    guard let proofs else { throw Refusal.needsDaemon(request) }
    return try await proofs.answer(request, report: report)
  }

  private func explore(
    _ asked: FromInspector.Explore, report: @escaping Report
  ) async throws -> ToInspector.Explore {
    guard let proofs else { throw Refusal.needsDaemon(.explore(asked)) }
    return try await proofs.explore(asked, report)
  }

  private func explain(
    _ asked: FromInspector.Explain, report: @escaping Report
  ) async throws -> ToInspector.Explain {
    guard let proofs else { throw Refusal.needsDaemon(.explain(asked)) }
    return try await proofs.explain(asked, report)
  }

  private func fork(_ asked: FromInspector.Fork) async throws -> ToInspector.Fork {
    guard let branches else { throw Refusal.needsDaemon(.fork(asked)) }
    return try await branches.fork(asked)
  }

  private func compute(
    _ asked: FromInspector.Compute, report: @escaping Report
  ) async throws -> ToInspector.Done {
    guard let branches else { throw Refusal.needsDaemon(.compute(asked)) }
    return try await branches.compute(asked, report: report)
  }

  /// Requests about a whole branch begin once it is computed. A test of its first half would pass.
  private func waitForBranches(of question: StoreQuery) async throws {
    guard case .request(let request) = question else { return }
    switch request {
    case .export(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.to)
    case .manifest(let asked): try await wait(forAllOf: asked.timeline)
    case .verify(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.to)
    case .minimize(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.through)
    case .explore(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.from)
    case .growth(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.to)
    case .explain(let asked): try await wait(forAllOf: asked.timeline, upTo: asked.seq)
    case .compare(let asked):
      try await wait(forAllOf: asked.timeline)
      if let other = asked.with { try await wait(forAllOf: other) }
    case .invariants(let asked):
      for timeline in asked.timelines { try await wait(forAllOf: timeline) }
    case .hello, .timelines, .watch, .entries, .state, .raw, .diff, .changes, .find, .column,
      .series, .overview, .compute, .fork, .rename, .delete, .mark, .import, .part, .cancel, .hold,
      .restore, .dispatch, .step, .resume, .capture, .status, .prune, .check, .sessions, .revoke,
      .invite, .hosts, .host, .source, .filters, .fetch, .offer, .deposit, .finish, .error:
      break
    }
  }

  private func wait(forAllOf timeline: TimelineID, upTo seq: Int64? = nil) async throws {
    if let refusal = await branches?.waitUntilComputed(timeline, upTo: seq) { throw refusal }
  }

  /// Waits for an entry of a branch that is being computed.
  func wait(for timeline: TimelineID, upTo seq: Int64) async {
    await branches?.wait(for: timeline, upTo: seq)
  }
}
