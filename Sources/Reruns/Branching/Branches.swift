internal import JSONCore
package import TimelineStore
package import Timelines
package import Wire

/// Makes branches, and manages those that are being computed.
package actor Branches {
  let store: Store
  let hosts: any ReducerHosts
  /// Computed states that were not captured.
  package nonisolated let computed: ComputedStates
  private var jobs: [TimelineID: BranchJob] = [:]
  private var report: (@Sendable (BranchNews) -> Void)?
  private var isStopped = false
  /// Why branches ended early, for those that ended before the answer to `fork` was read.
  private var ends: [TimelineID: String] = [:]
  /// Enough for the branches that can end before their answers are read.
  private static let mostEnds = 256
  private let keepsFrom: Int64
  private let clock: any Clock<Duration>
  private let newTimelineID: @Sendable () -> TimelineID

  /// A service without jobs.
  ///
  /// - Parameter keepsFrom: the minimum number of its own entries for which a branch gets a preview
  ///   before they are durable. Shorter branches are durable just as soon.
  package init(
    store: Store, hosts: any ReducerHosts, computed: ComputedStates = ComputedStates(),
    keepsFrom: Int64 = 256, clock: any Clock<Duration> = ContinuousClock(),
    newTimelineID: @escaping @Sendable () -> TimelineID = { .random() }
  ) {
    self.clock = clock
    self.newTimelineID = newTimelineID
    self.store = store
    self.hosts = hosts
    self.computed = computed
    self.keepsFrom = keepsFrom
  }

  /// Continues the incomplete branches, and reports their progress from now on.
  package func begin(_ report: @escaping @Sendable (BranchNews) -> Void) async throws {
    self.report = report
    let records = try await store.read { try $0.timelines() }
    for record in records where record.computing != nil {
      do {
        try await resume(record)
      } catch {
        try await store.complete(record.id, ended: .failed)
      }
    }
  }

  private func resume(_ record: TimelineRecord) async throws {
    let draft = try await store.read { reader in
      try BranchDraft.stored(Header(stored: record), reader)
    }
    let last = max(record.last ?? -1, draft.own.lowerBound - 1)
    add(
      BranchJob(
        draft, last: last, store: store, hosts: hosts, keepsFrom: keepsFrom,
        clock: clock, report: reporter))
    await jobs[record.id]?.start()
  }

  /// Makes a branch; returns before it is computed.
  ///
  /// If the host is fast enough, the whole branch can be read by then.
  package func fork(_ asked: FromInspector.Fork) async throws -> ToInspector.Fork {
    try TextLimit.check(asked.name ?? "", path: "name")
    let id = newTimelineID()
    let draft = try await store.read { try BranchDraft.new(asked, named: id, $0) }
    let hasWork = !draft.own.isEmpty
    // Do not leave a branch that nothing computes.
    if hasWork { _ = try await hosts.host(for: draft.header, named: nil) }
    guard !isStopped else { throw Refusal(.failed, "The daemon is shutting down.") }
    let creation = Task { [store] in
      _ = try await store.createBranch(
        draft.header, computing: hasWork ? draft.own.upperBound - 1 : nil)
    }
    let job = BranchJob(
      draft, last: draft.own.lowerBound - 1, store: store, hosts: hosts, creation: creation,
      keepsFrom: keepsFrom, clock: clock, report: reporter)
    add(job)
    // Start the host while the disk is busy.
    await job.start()
    do {
      try await creation.value
    } catch {
      jobs[job.branch] = nil
      await job.stop()
      throw error
    }
    if let early = await job.refusedBeginning(milliseconds: Self.patience) {
      jobs[job.branch] = nil
      _ = try await store.delete(job.branch, cascading: true)
      throw Refusal(
        .wrongValue,
        """
        The host cannot decode the event of the first edit, so there is no branch. \
        \(early.message ?? early.sentence)
        """, path: "edits", timeline: asked.timeline)
    }
    await job.waitForPreview(milliseconds: Self.previewPatience)
    return ToInspector.Fork {
      $0.timeline = draft.header.timeline
      $0.start = draft.plan.start
      $0.parent = asked.timeline
    }
  }

  private func add(_ job: BranchJob) { jobs[job.branch] = job }

  private nonisolated var reporter: @Sendable (BranchNews) -> Void {
    { [weak self] news in Task { await self?.forward(news) } }
  }

  private func forward(_ news: BranchNews) {
    report?(news)
    guard case .finished(let branch, let progress) = news else { return }
    jobs[branch] = nil
    if ends.count >= Self.mostEnds { ends = [:] }
    ends[branch] = progress.message
  }

  /// Waits until an entry can be read, if a branch is about to have it.
  package func wait(for branch: TimelineID, upTo seq: Int64) async {
    await jobs[branch]?.wait(upTo: seq, milliseconds: Self.patience)
  }

  /// Waits until a branch is computed, up to an entry or its end: for requests about all of it. A
  /// branch that waits for a host may not be computed for days, so the wait has a limit.
  ///
  /// - Returns: a refusal if it is not computed by then; `nil` if the request can be answered.
  package func waitUntilComputed(
    _ branch: TimelineID, upTo seq: Int64? = nil
  ) async -> Refusal? {
    guard let job = jobs[branch] else { return nil }
    await job.waitUntilComputed(upTo: seq, milliseconds: Self.patience)
    return await job.isComputed(upTo: seq) ? nil : Self.unfinished(branch, await job.progress)
  }

  /// A request about a whole branch must not be answered about a part of it: a test of its first half
  /// would pass.
  private static func unfinished(_ branch: TimelineID, _ progress: BranchProgress) -> Refusal {
    let name = branch.text.prefix(8)
    // The reason for waiting has its own remedy.
    let reason = progress.waits ? progress.message : nil
    let remedy =
      reason
      ?? "To fix, try again when it is complete. To see how far it is, run: debugd show \(name)"
    return Refusal(
      .conflict,
      """
      Only \(progress.done) of the \(progress.of) entries of the branch \(name) are computed. \
      \(remedy)
      """, timeline: branch)
  }

  /// The moment after an entry of a branch that is not durable yet, from a host; `nil` if the store
  /// has it.
  package func moment(_ place: EntryReference) async throws -> HostMoment? {
    try await jobs[place.timeline]?.moment(at: place.seq)
  }

  /// Entries of a branch that are not durable yet, from a host; `nil` if the store has them.
  ///
  /// - Parameters:
  ///   - from: the first seq.
  ///   - count: the maximum number of entries.
  package func rows(
    of branch: TimelineID, from: Int64, count: Int, isBackward: Bool
  ) async throws -> [Entry]? {
    try await jobs[branch]?.rows(from: from, count: Int64(count), isBackward: isBackward)
  }

  /// The previews of branches that are being computed.
  package func previews(of branches: [TimelineID]) async -> [TimelineID: BranchPreview] {
    var previews: [TimelineID: BranchPreview] = [:]
    for branch in branches { previews[branch] = await jobs[branch]?.preview }
    return previews
  }

  /// The maximum time that the answer to `fork` waits for the host, so that the inspector sees the
  /// complete branch at once instead of watching it grow.
  private static let previewPatience: Int64 = 250

  /// The maximum time that a query waits for an entry: longer than a million of them take.
  private static let patience: Int64 = 10_000

  /// Performs work that the hub requested.
  package func perform(_ work: BranchWork) async {
    switch work {
    case .report(let branch):
      guard let job = jobs[branch] else {
        // It ended before the answer to `fork` was sent.
        report?(.finished(branch, await finished(branch)))
        return
      }
      await job.reportProgress()
    case .cancel(let branch): await jobs[branch]?.cancel()
    case .forget(let branch):
      computed.forget(branch)
      ends[branch] = nil
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
    return BranchProgress(
      done: count, of: count,
      message: record.ended.map { ends.removeValue(forKey: branch) ?? "Ended: \($0)." })
  }

  /// Stops all jobs; the next run of the daemon continues the incomplete ones.
  package func stop() async {
    isStopped = true
    for job in jobs.values { await job.stop() }
    jobs = [:]
  }
}
