import JSONCore
import Synchronization
import Timelines

extension Store {
  /// Commits what has arrived, acknowledges it, and hands full chunks to the sealer.
  ///
  /// - Parameter isLast: whether there is no later call to commit what the sealer has not finished.
  func commitPending(isLast: Bool = false) {
    // Something may have been submitted while the store was being closed.
    guard state != .closed else { return refuseRest() }
    guard state == .open, rows != nil else {
      if !options.waitsForDisk, case .refusing(let why) = state {
        refuseRest(StoreError(.refusing(why)))
      }
      return
    }
    commitNext(isLast: isLast)
  }

  /// Commits what fits into one transaction; returns whether the disk permitted it.
  @discardableResult
  func commitNext(isLast: Bool = false) -> Bool {
    // While the sealer is behind, the next batches wait, so that memory is bounded.
    let hasRoom = isLast || sealingBytes < Self.sealingLimit
    let room = hasRoom ? Self.commitBytes : 0
    let enough = isLast || isSealedDue ? 0 : options.sealedBytes
    isSealedDue = false
    let (submissions, sealed) = inbox.withLock { $0.dequeue(upTo: room, sealedFrom: enough) }
    guard !submissions.isEmpty || !sealed.isEmpty else { return true }
    var commit = PendingCommit(live: live, nextRow: nextRow)
    do {
      for run in sealed { add(run, to: &commit) }
      for submission in submissions { try add(submission, to: &commit) }
      if !commit.changes.isEmpty { try rows?.commit(commit.changes) }
    } catch {
      inbox.withLock { $0.putBack(submissions) }
      refuse(error)
      return false
    }
    live = commit.live
    nextRow = commit.nextRow
    for run in sealed where run.order.generation == generation {
      sealingBytes -= run.order.byteCount
    }
    for answer in commit.answers { answer() }
    for id in commit.touched { sealFull(id) }
    if live.count > Self.liveLimit { forgetIdle() }
    scheduleMaintenance()
    announceRest()
    return true
  }

  /// Schedules a commit for what did not fit. While the sealer is behind, its result does that.
  private func announceRest() {
    guard sealingBytes < Self.sealingLimit else { return }
    let isWaiting = inbox.withLock { !$0.submissions.isEmpty && $0.announce() }
    if isWaiting { announce() }
  }

  /// The maximum bytes of one transaction; larger ones only make the first submission in it wait
  /// longer.
  private static let commitBytes = 4 << 20

  /// The maximum bytes that wait for the sealer and for the commit of its runs: some fifty chunks.
  private static let sealingLimit = 3 << 20

  /// A commit that is being prepared. It has no effect before the rows are written.
  private struct PendingCommit {
    var live: [TimelineID: LiveTimeline]
    var nextRow: Int64
    var changes: [RowChange] = []
    var answers: [() -> Void] = []
    var touched: Set<TimelineID> = []
  }

  private func add(_ submission: Submission, to commit: inout PendingCommit) throws(StoreError) {
    switch submission {
    case .open(let header, let branch, let isImport, let answer):
      let result = try outcome(&commit) { commit throws(StoreError) in
        try begin(header, branch, isImport, &commit)
      }
      commit.answers.append { answer(result) }
    case .append(let batch, let answer):
      let result = try outcome(&commit) { commit throws(StoreError) in
        try append(batch, &commit)
      }
      commit.answers.append { answer(result) }
    case .change(let change, let answer):
      let result = try outcome(&commit) { commit throws(StoreError) in
        let live = try liveTimeline(change.timeline, &commit)
        let changes = try change.rows(live)
        try checkBranches(of: live, changes, commit)
        apply(changes, to: change.timeline, &commit)
      }
      commit.answers.append { answer(result) }
    }
  }

  /// Performs one submission. If it is invalid, only its own answer is an error, and the commit is
  /// unchanged; a database error ends the commit.
  private func outcome<Value>(
    _ commit: inout PendingCommit,
    _ body: (inout PendingCommit) throws(StoreError) -> Value
  ) throws(StoreError) -> Result<Value, StoreError> {
    let (live, nextRow, count) = (commit.live, commit.nextRow, commit.changes.count)
    do {
      return .success(try body(&commit))
    } catch {
      if error.isOfDatabase { throw error }
      commit.live = live
      commit.nextRow = nextRow
      commit.changes.removeSubrange(count...)
      return .failure(error)
    }
  }

  private func begin(
    _ header: Header, _ branch: BranchRequest?, _ isImport: Bool, _ commit: inout PendingCommit
  ) throws(StoreError) -> Opened {
    let id = header.timeline
    guard var known = try find(id, &commit) else {
      if !isImport, branch == nil, try rows?.storedEnd(of: id)?.isGone == true {
        throw StoreError(.gone(id))
      }
      if branch == nil {
        try checkAncestors(of: header, live: commit.live)
      } else if let parent = header.parent?.timeline {
        try check(parent, commit)
      }
      let row = commit.nextRow
      commit.nextRow += 1
      commit.changes.append(
        .begin(
          TimelineRow(
            row: row, header: header, parent: branch?.parent, isImporting: isImport,
            computing: branch?.computing, now: now())))
      var timeline = LiveTimeline(row: row, header: header, parent: branch?.parent)
      timeline.isImporting = isImport
      commit.live[id] = timeline
      return timeline.opened(isNew: true)
    }
    if isImport { throw StoreError(.conflict(id, why: "it was recorded or imported before")) }
    if branch != nil { throw StoreError(.conflict(id, why: "a branch needs a name of its own")) }
    // If the file turns out to be invalid, entries that were added to it would be lost with it.
    if known.isImporting { throw StoreError(.conflict(id, why: "it is being imported")) }
    let identity = HeaderIdentity(known.header)
    if let difference = identity.difference(from: HeaderIdentity(header)) {
      throw StoreError(.conflict(id, why: difference))
    }
    if !known.header.line.bytes.elementsEqual(header.line.bytes) {
      known.header = header
      commit.changes.append(.header(row: known.row, header))
    }
    if known.isClosed {
      known.isClosed = false
      commit.changes.append(.close(row: known.row, isClosed: false, lost: nil))
    }
    commit.live[id] = known
    return known.opened(isNew: false)
  }

  /// Refuses a branch whose parent was deleted after the branch was planned.
  private func check(_ parent: TimelineID, _ commit: PendingCommit) throws(StoreError) {
    if commit.live[parent] != nil { return }
    let isBeingDeleted = commit.changes.contains { change in
      if case .delete(_, parent, _) = change { true } else { false }
    }
    guard !isBeingDeleted, let stored = try rows?.storedEnd(of: parent), !stored.isGone else {
      throw StoreError(.gone(parent))
    }
  }

  /// Refuses to delete a timeline from which a branch started after the deletion was planned.
  private func checkBranches(
    of live: LiveTimeline, _ changes: [RowChange], _ commit: PendingCommit
  ) throws(StoreError) {
    guard changes.contains(where: { if case .delete = $0 { true } else { false } }) else { return }
    let isStarting = commit.changes.contains { change in
      if case .begin(let new) = change { new.parent?.row == live.row } else { false }
    }
    guard !isStarting, try rows?.hasBranch(of: live.row) != true else {
      throw StoreError(.hasBranches(live.header.timeline, branches: []))
    }
  }

  private func append(
    _ batch: AppendBatch, _ commit: inout PendingCommit
  ) throws(StoreError) -> Appended {
    var timeline = try liveTimeline(batch.timeline, &commit)
    // Moved out, so that its runs are not copied.
    commit.live[batch.timeline] = nil
    var appended = Appended(durable: nil, dropped: 0)
    for run in batch.runs where appended.refused == nil {
      let (dropped, fresh) = timeline.withoutKnown(run)
      appended.dropped += dropped
      let verdict = checkPatches(of: fresh, for: timeline)
      appended.refused = verdict.error
      if let row = try timeline.accept(fresh.prefix(verdict.count)) {
        commit.changes.append(.append(row))
      }
    }
    commit.touched.insert(batch.timeline)
    appended.durable = timeline.last
    commit.live[batch.timeline] = timeline
    return appended
  }

  private func apply(
    _ changes: [RowChange], to id: TimelineID, _ commit: inout PendingCommit
  ) {
    commit.changes.append(contentsOf: changes)
    for change in changes {
      switch change {
      case .delete(let row, _, _), .discard(let row):
        commit.live[id] = nil
        shapes.forget(row)
      case .close(let row, let isClosed, _):
        commit.live[id]?.isClosed = isClosed
        shapes.forget(row)
      case .publish: commit.live[id]?.isImporting = false
      case .seal(let chunk, _):
        // A chunk of a copy, which was never in the tail.
        commit.live[id]?.advance(over: chunk)
        shapes.forget(chunk.row)
      case .begin, .header, .append, .index, .computing, .rename, .mark, .cutHead,
        .probe:
        break
      }
    }
    commit.touched.insert(id)
  }

  private func add(_ sealed: SealedRun, to commit: inout PendingCommit) {
    let id = sealed.order.timeline
    // A timeline that was deleted meanwhile has no row anymore, or another one.
    guard sealed.order.generation == generation, var timeline = commit.live[id],
      timeline.row == sealed.order.row
    else { return }
    commit.live[id] = nil
    var chunk = sealed.chunk
    chunk.ordinal = timeline.nextOrdinal
    timeline.nextOrdinal += 1
    timeline.sealing -= 1
    commit.live[id] = timeline
    commit.changes.append(.seal(chunk, sealed.index))
  }

  private func liveTimeline(
    _ id: TimelineID, _ commit: inout PendingCommit
  ) throws(StoreError) -> LiveTimeline {
    if let found = try find(id, &commit) { return found }
    let isGone = try rows?.storedEnd(of: id)?.isGone == true
    throw StoreError(isGone ? .gone(id) : .notFound(id))
  }

  /// A timeline that is being written, read from its rows the first time.
  private func find(
    _ id: TimelineID, _ commit: inout PendingCommit
  ) throws(StoreError) -> LiveTimeline? {
    if let known = commit.live[id] { return known }
    guard let stored = try rows?.storedEnd(of: id), !stored.isGone else { return nil }
    let found = try LiveTimeline(stored)
    commit.live[id] = found
    return found
  }

  /// Hands the full chunks of a timeline to the sealer.
  private func sealFull(_ id: TimelineID) {
    guard let row = live[id]?.row, let isClosed = live[id]?.isClosed else { return }
    commits += 1
    live[id]?.used = commits
    let chunks = live[id]?.removeFullChunks(options.chunkBytes, all: isClosed) ?? []
    for runs in chunks {
      let order = SealOrder(
        timeline: id, row: row, generation: generation, runs: runs, now: now())
      sealingBytes += order.byteCount
      live[id]?.sealing += 1
      sealer.seal(order) { [weak self] sealed in
        self?.receive(sealed, of: order)
      }
    }
  }

  /// Receives a sealed chunk to store with the next commit; `nil` if sealing failed.
  nonisolated func receive(_ sealed: SealedRun?, of order: SealOrder) {
    guard let sealed else {
      return thread.call { [weak self] in self?.assumeIsolated { $0.failSealing(order) } }
    }
    let (isFirst, isDue) = inbox.withLock { $0.add(sealed, enough: options.sealedBytes) }
    if isDue {
      announce()
    } else if isFirst {
      thread.call(after: options.sealedMilliseconds) { [weak self] in
        self?.assumeIsolated { $0.commitSealed() }
      }
    }
  }

  /// Commits the waiting sealed runs, however few.
  private func commitSealed() {
    isSealedDue = true
    commitPending()
  }

  /// Stops writing, as after a disk fault: its rows hold the chunk's entries, and are sealed when
  /// writing resumes.
  private func failSealing(_ order: SealOrder) {
    guard state == .open, order.generation == generation else { return }
    refuse(
      StoreError(
        .packing("there is no memory. To fix, free some; recording then continues automatically")))
  }

  /// Drops the timelines that were written least recently; they are read again from their rows.
  private func forgetIdle() {
    let idle = live.filter { $0.value.sealing == 0 }.sorted { $0.value.used < $1.value.used }
    for (id, timeline) in idle.prefix(live.count - Self.liveLimit / 2) {
      live[id] = nil
      shapes.forget(timeline.row)
    }
  }

  /// Each has up to a chunk in memory, so this limit means some MiB.
  private static let liveLimit = 128
}
