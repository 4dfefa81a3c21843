internal import JSONCore
internal import TimelineStore
internal import Timelines

/// Computes one branch: reads the parent's events, has a host run them, stores what comes out.
///
/// While the host works on a batch the next one is read, and the entries of the one before are on
/// their way to the disk. Nothing is held but these: a branch may have millions of entries.
actor BranchJob {
  /// What is true of it.
  enum Phase: Sendable {
    /// It goes on.
    case running
    /// It goes on when there is a host; why there is none, in words.
    case waiting(String)
    /// It has ended; why early, in words, where it has.
    case finished(String?)
  }

  let branch: TimelineID
  let draft: BranchDraft
  let store: Store
  let hosts: any ReducerHosts
  let creation: Task<Void, any Error>?
  /// The steps from which on a host is asked to keep them.
  let keepsFrom: Int64
  let clock: any Clock<Duration>
  let tell: @Sendable (BranchNews) -> Void

  private var task: Task<Void, Never>?
  var phase = Phase.running
  private var endsByRequest = false

  /// The moment after the last entry that was computed.
  var base: BranchBase?
  /// What can be looked at before it is durable.
  private(set) var quickLook: QuickLook?
  /// Whether that may still become true.
  private(set) var mayLook = true
  /// The next seq to be computed.
  var next: Int64
  /// What the host was asked for and has not answered.
  var expected: ArraySlice<PlannedStep> = []
  var needsFirst = false
  /// How many entries the last request was about, and the seq behind them.
  var asked = 0
  var askedEnd: Int64 = 0
  /// The seq behind those entries of which one ended a host without a word.
  var suspectsEnd: Int64?
  var snapshot: BranchBase?
  var early: EarlyEnd?

  /// The last seq that survives anything.
  var durable: Int64
  var inFlight = 0
  var fault: StoreError?
  let waiters: BranchWaiters
  var isTelling = false

  /// A job that goes on behind `last`, the last entry of the branch that is stored.
  ///
  /// - Parameter creation: stores the branch, when it is new.
  init(
    _ draft: BranchDraft, last: Int64, store: Store, hosts: any ReducerHosts,
    creation: Task<Void, any Error>? = nil, keepsFrom: Int64 = 256,
    clock: any Clock<Duration> = ContinuousClock(), tell: @escaping @Sendable (BranchNews) -> Void
  ) {
    self.keepsFrom = keepsFrom
    branch = draft.header.timeline
    self.draft = draft
    self.store = store
    self.hosts = hosts
    self.creation = creation
    self.clock = clock
    self.tell = tell
    waiters = BranchWaiters(clock)
    durable = last
    next = last + 1
  }

  /// Begins to work.
  func start() {
    guard task == nil else { return }
    task = Task { await run() }
  }

  /// Ends it with what it has.
  func cancel() {
    guard case .finished = phase else {
      endsByRequest = true
      task?.cancel()
      return
    }
  }

  /// Ends it without a trace: the branch was deleted, or the daemon ends and goes on later.
  func stop() async {
    task?.cancel()
    await task?.value
  }

  /// There may be a host now.
  func hostsChanged() {
    if case .waiting = phase { waiters.releaseAll() }
  }

  /// Tells how far it has come.
  func tellNow() {
    switch phase {
    case .running, .waiting: tell(.changed(branch, progress))
    case .finished: tell(.finished(branch, progress))
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

// The course of things.
extension BranchJob {
  private func run() async {
    do {
      if !draft.own.isEmpty, durable < draft.own.upperBound - 1 { try await computeAll() }
      let gap = draft.plan.endedBeforeGapAt.map { "The parent lost the entries before \($0)." }
      let end = early.map(\.why) ?? (gap == nil ? nil : .gap)
      await finish(end, early.map { $0.message ?? "It ended at entry \($0.seq)." } ?? gap)
    } catch is CancellationError {
      if endsByRequest {
        await finish(.cancelled, "It was cancelled.")
      } else {
        settle(nil)
      }
    } catch let error as StoreError where error.isEndOfTimeline {
      settle("The branch was deleted.")
    } catch {
      await finish(.failed, Refusal(of: error).reply.message)
    }
  }

  private func finish(_ end: BranchEnd?, _ message: String?) async {
    do {
      _ = try await creation?.value
      // Changes are carried out in the order of the calls, so that all entries come before.
      try await store.complete(branch, ended: end)
    } catch {
      return settle(Refusal(of: error).reply.message)
    }
    settle(message)
  }

  private func settle(_ message: String?) {
    phase = .finished(message)
    quickLook = nil
    waiters.releaseAll()
    tell(.finished(branch, progress))
  }

  private func computeAll() async throws {
    let isBegun = durable >= draft.own.lowerBound
    needsFirst = !isBegun && !draft.plan.sharesPrefix
    if needsFirst { try await compute([]) }
    if early != nil { return }
    if try await computeKept() { return }
    dropLook()
    // What the host did is stored first: the rest is read from behind it.
    if next > draft.own.lowerBound { try await untilDurable(next - 1) }
    // What the next batch needs is read while this one is computed.
    var upcoming = read(try await feed(), Self.firstBatch)
    var size = Self.firstBatch
    while true {
      let (feed, batch) = try await upcoming.value
      size = min(size * 4, Self.largestBatch)
      upcoming = read(feed, size)
      guard !batch.isEmpty || needsFirst else { return }
      do {
        try await compute(batch)
      } catch {
        upcoming.cancel()
        throw error
      }
      if early != nil { return upcoming.cancel() }
    }
  }

  /// The first batch is short, so that something can be looked at soon; the others are as long as
  /// the keyframe at their beginning is a small part of them.
  private static let firstBatch = 256
  private static let largestBatch = 4_096

  /// The events of one request: with a large state beside them they fit into a message.
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

  private func feed() async throws -> StepFeed {
    let done = durable - draft.plan.firstStep + 1
    guard done > 0 else { return StepFeed(draft) }
    let t = try await store.read { [branch, durable] reader in
      try reader.entry(of: reader.lineage(of: branch), at: durable)?.t
    }
    return StepFeed(draft, done: (done, t ?? draft.baseTime))
  }

  /// The moment before the next entry that is to be computed.
  func startingMoment() async throws -> BranchBase {
    if let base { return base }
    return next > draft.own.lowerBound ? try await storedBase() : try await firstBase()
  }

  /// From now on entries can be looked at that are not durable.
  func setLook(_ look: QuickLook) {
    quickLook = look
    waiters.releaseAll()
  }

  /// Nothing can be looked at any more but what is durable.
  func dropLook() {
    quickLook = nil
    mayLook = false
    base = nil
    waiters.releaseAll()
  }

  /// The moment that the first request begins with.
  func firstBase() async throws -> BranchBase {
    let parent = draft.header.parent?.timeline ?? branch
    switch draft.plan.base {
    case .after(let seq), .at(let seq):
      return try await knownBase(EntryReference(timeline: parent, seq: seq))
    case .given(let state, _): return BranchBase(state: state, outputs: nil)
    }
  }

  func knownBase(_ moment: EntryReference) async throws -> BranchBase {
    try await BranchBase.moment(moment, header: draft.header, store: store, hosts: hosts)
  }
}

extension StoreError {
  /// Whether it says that the timeline is not there any more.
  fileprivate var isEndOfTimeline: Bool {
    switch reason {
    case .gone, .notFound, .closed: true
    default: false
    }
  }
}
