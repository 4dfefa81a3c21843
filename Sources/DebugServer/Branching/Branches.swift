internal import JSONCore
internal import TimelineStore
package import Timelines

/// Makes branches, and knows those that are being computed.
package actor Branches {
  let store: Store
  let hosts: any ReducerHosts
  /// What was computed of states that were not captured.
  nonisolated let computed: ComputedStates
  private var jobs: [TimelineID: BranchJob] = [:]
  private var tell: (@Sendable (BranchNews) -> Void)?
  private var isStopped = false
  private let keepsFrom: Int64
  private let surroundings: DaemonSurroundings

  /// Nothing is computed yet.
  ///
  /// - Parameter keepsFrom: how many entries of its own a branch has at least to be looked at before
  ///   they are durable; fewer are durable as soon.
  init(
    store: Store, hosts: any ReducerHosts, computed: ComputedStates = ComputedStates(),
    keepsFrom: Int64 = 256, surroundings: DaemonSurroundings = DaemonSurroundings()
  ) {
    self.surroundings = surroundings
    self.store = store
    self.hosts = hosts
    self.computed = computed
    self.keepsFrom = keepsFrom
  }

  /// Goes on with the branches that are not complete, and tells from now on what becomes of them.
  package func begin(_ tell: @escaping @Sendable (BranchNews) -> Void) async throws {
    self.tell = tell
    let records = try await store.read { try $0.timelines() }
    for record in records where record.computing != nil {
      do {
        try await goOn(with: record)
      } catch {
        try await store.complete(record.id, ended: .failed)
      }
    }
  }

  private func goOn(with record: TimelineRecord) async throws {
    let draft = try await store.read { reader in
      try BranchDraft.stored(Header(stored: record), reader)
    }
    let last = max(record.last ?? -1, draft.own.lowerBound - 1)
    add(
      BranchJob(
        draft, last: last, store: store, hosts: hosts, keepsFrom: keepsFrom,
        clock: surroundings.clock,
        tell: told))
    await jobs[record.id]?.start()
  }

  /// Makes a branch; answers before it is computed.
  ///
  /// Where a host is quick enough, the branch can be looked at to its end by then.
  package func fork(_ asked: FromInspector.Fork) async throws -> ToInspector.Fork {
    try LookUps.check(asked.name ?? "", path: "name")
    let id = surroundings.timelineID()
    let draft = try await store.read { try BranchDraft.new(asked, named: id, $0) }
    let hasWork = !draft.own.isEmpty
    // Nobody is left with a branch that nothing computes.
    if hasWork { _ = try await hosts.host(for: draft.header, named: nil) }
    guard !isStopped else { throw Refusal(.failed, "The daemon ends.") }
    let creation = Task { [store] in
      _ = try await store.createBranch(
        draft.header, computing: hasWork ? draft.own.upperBound - 1 : nil)
    }
    let job = BranchJob(
      draft, last: draft.own.lowerBound - 1, store: store, hosts: hosts, creation: creation,
      keepsFrom: keepsFrom, clock: surroundings.clock,
      tell: told)
    add(job)
    // The host works while the disk does.
    await job.start()
    do {
      try await creation.value
    } catch {
      jobs[job.branch] = nil
      await job.stop()
      throw error
    }
    await job.untilLook(milliseconds: Self.lookPatience)
    return ToInspector.Fork {
      $0.timeline = draft.header.timeline
      $0.start = draft.plan.start
      $0.parent = asked.timeline
    }
  }

  private func add(_ job: BranchJob) { jobs[job.branch] = job }

  private nonisolated var told: @Sendable (BranchNews) -> Void {
    { [weak self] news in Task { await self?.pass(news) } }
  }

  private func pass(_ news: BranchNews) {
    tell?(news)
    if case .finished(let branch, _) = news { jobs[branch] = nil }
  }

  /// Waits until an entry can be read, where a branch is about to have it.
  func wait(for branch: TimelineID, upTo seq: Int64) async {
    await jobs[branch]?.wait(upTo: seq, milliseconds: Self.patience)
  }

  /// The moment after an entry of a branch that is not durable yet, as a host tells it; `nil` where
  /// the store tells it.
  func moment(_ place: EntryReference) async throws -> BranchBase? {
    try await jobs[place.timeline]?.moment(at: place.seq)
  }

  /// Entries of a branch that are not durable yet, as a host tells them; `nil` where the store does.
  ///
  /// - Parameters:
  ///   - from: the seq to begin at.
  ///   - count: how many at most.
  func rows(
    of branch: TimelineID, from: Int64, count: Int, isBackward: Bool
  ) async throws -> [Entry]? {
    try await jobs[branch]?.rows(from: from, count: Int64(count), isBackward: isBackward)
  }

  /// How far branches that are being computed can be looked at beyond what is durable.
  func looks(of branches: [TimelineID]) async -> [TimelineID: QuickLook] {
    var looks: [TimelineID: QuickLook] = [:]
    for branch in branches { looks[branch] = await jobs[branch]?.quickLook }
    return looks
  }

  /// How long the answer to `fork` waits for the host, at most: whoever asked sees the branch at
  /// its end at once, instead of growing.
  private static let lookPatience: Int64 = 250

  /// How long a question waits for an entry: longer than a million of them take.
  private static let patience: Int64 = 10_000

  /// Does what the hub wants.
  package func perform(_ work: BranchWork) async {
    switch work {
    case .tell(let branch):
      guard let job = jobs[branch] else {
        // It was faster than the answer to who asked for it.
        tell?(.finished(branch, await finished(branch)))
        return
      }
      await job.tellNow()
    case .cancel(let branch): await jobs[branch]?.cancel()
    case .forget(let branch):
      computed.forget(branch)
      let job = jobs.removeValue(forKey: branch)
      await job?.stop()
    case .hostsChanged:
      for job in jobs.values { await job.hostsChanged() }
    }
  }

  private func finished(_ branch: TimelineID) async -> BranchProgress {
    let record = try? await store.read { try $0.timeline(branch) }
    guard let record, let start = record.parent?.start, let last = record.last else {
      return BranchProgress(done: 0, of: 0)
    }
    let count = max(0, last - start + 1)
    return BranchProgress(done: count, of: count, message: record.ended.map { "Ended: \($0)." })
  }

  /// Lets go of everything; what is not complete goes on with the next daemon.
  package func stop() async {
    isStopped = true
    for job in jobs.values { await job.stop() }
    jobs = [:]
  }
}
