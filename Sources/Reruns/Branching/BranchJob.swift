internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

/// Computes one branch: reads the parent's events, has a host run them, and stores the entries.
///
/// While the host works on a batch, the next one is read, and the previous one is written to disk.
/// Nothing else is held in memory: a branch may have millions of entries.
actor BranchJob {
  enum Phase: Sendable {
    case running
    /// Waiting for a host; the reason, as a sentence.
    case waiting(String)
    /// Ended; if early, the reason as a sentence.
    case finished(String?)
  }

  let branch: TimelineID
  let draft: BranchDraft
  let store: Store
  let hosts: any ReducerHosts
  let creation: Task<Void, any Error>?
  /// The minimum number of steps for which a host is asked to keep them.
  let keepsFrom: Int64
  let clock: any Clock<Duration>
  let report: @Sendable (BranchNews) -> Void

  private var task: Task<Void, Never>?
  var phase = Phase.running
  private var endsByRequest = false

  /// The steps that are computed from events, and where they are.
  var runner: Runner
  /// What inspectors can read before it is durable.
  private(set) var preview: BranchPreview?
  /// Whether there may still be a preview.
  private(set) var mayLook = true
  /// The moment that the first own entry changes, until that entry is stored.
  var shared: HostMoment?
  /// Where and why the host ended the branch early.
  var early: EarlyEnd?

  /// The last durable seq.
  var durable: Int64
  var inFlight = 0
  var fault: StoreError?
  let waiters: BranchWaiters
  /// Not released by a preview, which shows entries before they are durable.
  let durableWaiters: BranchWaiters
  /// Released when the result of the first step is known.
  let decided: BranchWaiters
  var isDecided = false
  var isTelling = false

  /// A job that continues after `last`, the last stored entry of the branch.
  ///
  /// - Parameter creation: stores the branch, if it is new.
  init(
    _ draft: BranchDraft, last: Int64, store: Store, hosts: any ReducerHosts,
    creation: Task<Void, any Error>? = nil, keepsFrom: Int64 = 256,
    clock: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (BranchNews) -> Void
  ) {
    self.keepsFrom = keepsFrom
    branch = draft.header.timeline
    self.draft = draft
    self.store = store
    self.hosts = hosts
    self.creation = creation
    self.clock = clock
    self.report = report
    waiters = BranchWaiters(clock)
    durableWaiters = BranchWaiters(clock)
    decided = BranchWaiters(clock)
    durable = last
    runner = Runner(make: draft.header.machine.make ?? "", next: last + 1, rule: .steps)
  }

  func start() {
    guard task == nil else { return }
    task = Task { await run() }
  }

  /// Ends the branch with the entries it has.
  func cancel() {
    guard case .finished = phase else {
      endsByRequest = true
      task?.cancel()
      return
    }
  }

  /// Stops without a report: the branch was deleted, or the next run of the daemon continues it.
  func stop() async {
    task?.cancel()
    await task?.value
  }

  /// A host may be available now.
  func hostsChanged() {
    if case .waiting = phase { waiters.releaseAll() }
  }

  func reportProgress() {
    switch phase {
    case .running, .waiting: report(.changed(branch, progress))
    case .finished: report(.finished(branch, progress))
    }
  }

  var progress: BranchProgress {
    let own = draft.own
    let message: String? =
      switch phase {
      case .running: "Recomputing"
      case .waiting(let why): why
      case .finished(let why): why
      }
    var progress = BranchProgress(
      done: max(0, durable - own.lowerBound + 1), of: Int64(own.count), message: message)
    if case .waiting = phase { progress.waits = true }
    return progress
  }
}

extension BranchJob {
  private func run() async {
    do {
      if !draft.own.isEmpty, durable < draft.own.upperBound - 1 {
        try await computeAll()
        // The store may refuse the last entries, too.
        try await untilDurable(runner.next - 1)
      }
      let gap = draft.plan.endedBeforeGapAt.map { "The parent lost the entries before \($0)." }
      let end = early.map(\.why) ?? (gap == nil ? nil : .gap)
      await finish(end, early.map { $0.message ?? "It ended at entry \($0.seq)." } ?? gap)
    } catch is CancellationError {
      if endsByRequest {
        await finish(.canceled, "The branch was canceled.")
      } else {
        complete(nil)
      }
    } catch let error as StoreError where error.isEndOfTimeline {
      complete("The branch was deleted.")
    } catch let error as StoreError {
      let message = Refusal(of: error, about: store.folder).reply.message
      await finish(.failed, Self.hostMistake(error) ?? message)
    } catch {
      await finish(.failed, Refusal(of: error, about: store.folder).reply.message)
    }
  }

  /// What is wrong with an entry that a host answered and the store refused.
  private static func hostMistake(_ error: StoreError) -> String? {
    guard case .order(let refused) = error.reason else { return nil }
    return """
      The host answered an entry that cannot be stored: \(refused). To fix, have it answer with \
      entries as the protocol describes them.
      """
  }

  private func finish(_ end: BranchEnd?, _ message: String?) async {
    do {
      _ = try await creation?.value
      // The store applies changes in the order of the calls, so all entries come before this one.
      try await store.complete(branch, ended: end)
    } catch {
      return complete(Refusal(of: error, about: store.folder).reply.message)
    }
    complete(message)
  }

  private func complete(_ message: String?) {
    phase = .finished(message)
    preview = nil
    waiters.releaseAll()
    durableWaiters.releaseAll()
    decide()
    report(.finished(branch, progress))
  }

  private func computeAll() async throws {
    let isBegun = durable >= draft.own.lowerBound
    if !isBegun, !draft.plan.sharesPrefix {
      runner.addFirst(Runner.FirstEntry(was: draft.plan.base.seq, t: draft.baseTime))
      try await compute([])
    }
    if early != nil { return }
    if try await computeKept() { return }
    dropPreview()
    // Store what the host did: the rest is read from after it.
    if runner.next > draft.own.lowerBound { try await untilDurable(runner.next - 1) }
    // Read the next batch while this one is computed.
    var upcoming = read(try await feed(), Self.firstBatch)
    var size = Self.firstBatch
    while true {
      let (feed, batch) = try await upcoming.value
      size = min(size * 4, Self.largestBatch)
      upcoming = read(feed, size)
      guard !batch.isEmpty || runner.needsFirst else { return }
      do {
        try await compute(batch)
      } catch {
        upcoming.cancel()
        throw error
      }
      if early != nil { return upcoming.cancel() }
    }
  }

  /// The first batch is short, so that there is something to show soon; the others are so long that
  /// the keyframe at their start is a small part of them.
  private static let firstBatch = 256
  private static let largestBatch = 4_096

  /// The maximum number of events in one request; they fit into a message next to a large state.
  private static let batchBytes = 2 << 20

  private func read(_ feed: StepFeed, _ count: Int) -> Task<(StepFeed, [PlannedStep]), any Error> {
    Task { [store] in
      try await store.read { reader in
        var feed = feed
        let batch = try feed.next(count, bytes: Self.batchBytes, reader)
        return (feed, batch)
      }
    }
  }

  func feed() async throws -> StepFeed {
    let done = durable - draft.plan.firstStep + 1
    guard done > 0 else { return StepFeed(draft) }
    let t = try await store.read { [branch, durable] reader in
      try reader.entry(of: reader.lineage(of: branch), at: durable)?.t
    }
    return StepFeed(draft, done: (done, t ?? draft.baseTime))
  }

  /// The moment before the next entry to compute.
  func startingMoment() async throws -> HostMoment {
    if let base = runner.base { return base }
    if runner.next > draft.own.lowerBound { return try await storedBase() }
    let base = try await firstBase()
    shared = base
    return base
  }

  /// Publishes a preview of entries that are not durable.
  func setPreview(_ preview: BranchPreview) {
    self.preview = preview
    waiters.releaseAll()
    decide()
  }

  /// Removes the preview: only durable entries can be read.
  func dropPreview() {
    preview = nil
    mayLook = false
    runner.base = nil
    waiters.releaseAll()
  }

  /// The moment that the first request starts from.
  func firstBase() async throws -> HostMoment {
    let parent = draft.header.parent?.timeline ?? branch
    switch draft.plan.base {
    case .after(let seq), .at(let seq):
      return try await knownBase(EntryReference(timeline: parent, seq: seq))
    case .given(let state, _): return HostMoment(state: state, outputs: nil)
    }
  }

  func knownBase(_ moment: EntryReference) async throws -> HostMoment {
    try await HostMoment.moment(moment, header: draft.header, store: store, hosts: hosts)
  }
}

extension StoreError {
  /// Whether the timeline no longer exists.
  fileprivate var isEndOfTimeline: Bool {
    switch reason {
    case .gone, .notFound, .closed: true
    case .held, .leased, .newer, .folder, .openFolder, .database, .server, .refusing, .conflict,
      .ownAncestor,
      .manyAncestors, .hasBranches,
      .noEntry, .order, .path, .longPath, .damaged, .file, .packing, .packed, .chunk:
      false
    }
  }
}
