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
  let tell: @Sendable (BranchNews) -> Void

  private var task: Task<Void, Never>?
  var phase = Phase.running
  private var endsByRequest = false

  /// The moment after the last entry that was computed.
  private var base: BranchBase?
  /// The next seq to be computed.
  var next: Int64
  /// What the host was asked for and has not answered.
  private var expected: ArraySlice<PlannedStep> = []
  private var needsFirst = false
  private var snapshot: BranchBase?
  private var early: EarlyEnd?

  /// The last seq that survives anything.
  var durable: Int64
  var inFlight = 0
  var fault: StoreError?
  var waiters = BranchWaiters()
  var isTelling = false

  /// A job that goes on behind `last`, the last entry of the branch that is stored.
  ///
  /// - Parameter creation: stores the branch, when it is new.
  init(
    _ draft: BranchDraft, last: Int64, store: Store, hosts: any ReducerHosts,
    creation: Task<Void, any Error>? = nil, tell: @escaping @Sendable (BranchNews) -> Void
  ) {
    branch = draft.header.timeline
    self.draft = draft
    self.store = store
    self.hosts = hosts
    self.creation = creation
    self.tell = tell
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
    return BranchProgress(
      done: max(0, durable - own.lowerBound + 1), of: Int64(own.count), message: message)
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
    waiters.releaseAll()
    tell(.finished(branch, progress))
  }

  private func computeAll() async throws {
    let isBegun = durable >= draft.own.lowerBound
    needsFirst = !isBegun && !draft.plan.sharesPrefix
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

  /// The moment that the first request begins with.
  private func firstBase() async throws -> BranchBase {
    let parent = draft.header.parent?.timeline ?? branch
    switch draft.plan.base {
    case .after(let seq), .at(let seq):
      return try await knownBase(EntryReference(timeline: parent, seq: seq))
    case .given(let state, _): return BranchBase(state: state, outputs: nil)
    }
  }

  private func knownBase(_ moment: EntryReference) async throws -> BranchBase {
    try await BranchBase.moment(moment, header: draft.header, store: store, hosts: hosts)
  }
}

// One batch.
extension BranchJob {
  private func compute(_ batch: [PlannedStep]) async throws {
    expected = batch[...]
    var attempts = 0
    var trapped: Int64?
    while !expected.isEmpty || needsFirst {
      try Task.checkCancellation()
      let before = next
      do {
        try await reduce()
        attempts = 0
      } catch let refusal as Refusal where refusal.reply.code == .noHost {
        try await waitForHost(refusal)
        continue
      } catch let refusal as Refusal {
        // A host that answers nothing of use may do so after it was started anew.
        attempts = next > before ? 1 : attempts + 1
        guard attempts < Self.attempts else { throw refusal }
        base = nil
        try await Task.sleep(for: .milliseconds(100 * attempts))
      }
      if let end = early {
        early = nil
        guard await isFinal(end, hasProgress: next > before, &trapped) else {
          base = nil
          continue
        }
        early = end
        return
      }
    }
  }

  /// How often one entry is asked for in vain.
  private static let attempts = 3

  /// Whether a branch ends where a host's answer did.
  private func isFinal(
    _ end: EarlyEnd, hasProgress: Bool, _ trapped: inout Int64?
  ) async -> Bool {
    switch end.why {
    case .limit:
      // The time and the memory are one request's; an entry alone has them to itself.
      return !hasProgress
    case .trap:
      // Somebody may have ended the host: what traps does so again.
      defer { trapped = next }
      return trapped == next
    case .undecodable, .gap, .cancelled, .failed: return true
    }
  }

  private func reduce() async throws {
    if base == nil {
      base = next > draft.own.lowerBound ? try await storedBase() : try await firstBase()
    }
    let host = try await hosts.host(for: draft.header, named: nil)
    phase = .running
    let request = try await request()
    snapshot = nil
    early = nil
    try await host.reduce(request) { part in try await self.take(part) }
    base = snapshot
    guard early != nil || expected.isEmpty else {
      throw Refusal(.failed, "The host answered with fewer entries than it was asked for.")
    }
  }

  /// The moment after the last entry, where no host told it.
  private func storedBase() async throws -> BranchBase {
    try await untilDurable(next - 1)
    return try await knownBase(EntryReference(timeline: branch, seq: next - 1))
  }

  private func request() async throws -> ToRecorder.Reduce {
    let remembered = try await remembered()
    let (base, next, steps) = (base, next, try expected.map { try ToRecorder.ReduceStep($0) })
    return ToRecorder.Reduce {
      $0.make = draft.header.machine.make ?? ""
      $0.state = base?.state
      $0.outputState = base?.outputs
      $0.seq = next
      $0.steps = steps
      $0.snapshot = true
      $0.remembered = remembered.isEmpty ? nil : remembered
    }
  }

  /// The states to which the undo of a form goes back, where these are before the batch.
  private func remembered() async throws -> [ToRecorder.RememberedState] {
    guard draft.header.machine.kind == "form" else { return [] }
    let parent = draft.header.parent?.timeline ?? branch
    var states: [ToRecorder.RememberedState] = []
    for source in Set(expected.compactMap(\.undone)).sorted() {
      guard let seq = draft.plan.seq(ofParent: source), seq < next else { continue }
      let isShared = seq < draft.own.lowerBound
      if !isShared { try await untilDurable(seq) }
      let moment = EntryReference(timeline: isShared ? parent : branch, seq: seq)
      // Where nobody can tell it, the undo itself says so.
      let known = try? await knownBase(moment)
      guard let state = known?.state else { continue }
      states.append(ToRecorder.RememberedState(was: source, seq: seq, state))
    }
    return states
  }

  /// Takes a part of the host's answer.
  private func take(_ part: FromRecorder.Reduced) async throws {
    var entries: [Entry] = []
    entries.reserveCapacity(part.entries.count)
    do {
      for slice in part.entries { entries.append(try check(slice)) }
    } catch {
      // What was right before is kept: it was taken out of what is expected.
      try await add(entries)
      throw error
    }
    early = part.ended ?? early
    if let state = part.state { snapshot = BranchBase(state: state, outputs: part.outputState) }
    try await add(entries)
  }

  /// The entry that a host answered, which has to be the one that was asked for.
  private func check(_ slice: JSONSlice) throws -> Entry {
    let entry: Entry
    do {
      entry = try Entry(reading: slice)
    } catch {
      throw Refusal(.failed, "The host answered with what is no entry: \(error)")
    }
    guard entry.seq == next, !entry.isThinned else { throw unexpected(entry) }
    if needsFirst {
      needsFirst = false
      next += 1
      return try draft.first(entry)
    }
    guard let step = expected.first, entry.was == step.was, entry.t == step.t else {
      throw unexpected(entry)
    }
    expected.removeFirst()
    next += 1
    if case .take(let given) = step.action { return try entry.given(as: given) }
    return entry
  }

  private func unexpected(_ entry: Entry) -> Refusal {
    Refusal(
      .failed, "The host answered with entry \(entry.seq), which is not what it was asked for.")
  }

  private func waitForHost(_ refusal: Refusal) async throws {
    phase = .waiting(refusal.reply.message)
    waiters.releaseAll()
    tell(.changed(branch, progress))
    // Until somebody says that there are others, or one is there all the same.
    await waiters.wait(upTo: .max, milliseconds: 1_000)
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
