internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

// Computing with steps that the host keeps.
extension BranchJob {
  /// The maximum number of steps of a branch that a host is asked to keep; of a longer branch it
  /// may keep none.
  private static let mostKept: Int64 = 100_000

  /// The number of rows that a page shows around its cursor.
  private static let quickRows: Int64 = 40

  /// The maximum number of steps in one message; they fit next to a large state.
  private static let loadSteps = 4_096

  /// The maximum number of entries in one request of the full pass.
  private static let mostBatch: Int64 = 4_096

  /// How long the full pass waits once the whole branch can be read, so that a page gets the
  /// processors while it paints.
  private static let quiet = Duration.milliseconds(250)

  /// The intended duration of one request of the full pass, because reads wait for it.
  private static let batchTime = Duration.milliseconds(15)

  /// Computes the branch with a host that keeps its steps: first only what inspectors can read,
  /// then all entries. Returns false if the host cannot do that, or not to the end; the rest is
  /// then computed from events that are sent.
  func computeKept() async throws -> Bool {
    guard draft.own.upperBound - runner.next >= keepsFrom,
      draft.own.upperBound - runner.next <= Self.mostKept,
      let host = try? await hosts.host(for: draft.header, named: nil), host.keeps
    else { return false }
    do {
      let start = try await startingMoment()
      guard try await beginKept(start, host) else { return false }
      try await clock.sleep(for: Self.quiet)
      return try await computeAllKept(host)
    } catch let error as CancellationError {
      throw error
    } catch let error as StoreError {
      throw error
    } catch {
      // Anything the host could not do with the kept steps is reported when it is sent all of them.
      dropPreview()
      return false
    }
  }

  private func beginKept(_ start: HostMoment, _ host: any ReducerHosting) async throws -> Bool {
    guard let state = start.state else { return false }
    let first = runner.next
    var request = ToRecorder.Reduce()
    request.make = draft.header.machine.make ?? ""
    request.state = state
    request.outputState = start.outputs
    request.seq = first
    if draft.header.machine.kind == "form" {
      // The undo of an entry that was left out usually fails right there.
      let base = ToRecorder.RememberedState(was: draft.plan.base.seq, seq: first - 1, state)
      request.remembered = [base]
    }
    request.timeline = branch
    request.of = draft.header.parent?.timeline
    request.base = draft.plan.sharesPrefix ? nil : draft.plan.base.seq
    guard let steps = try await keptSteps() else { return false }
    request.steps = steps
    let count = request.stepCount
    request.quiet = max(0, count - Self.quickRows)
    request.snapshot = true
    // If it takes longer, there is no preview, and the full computation reports the problem.
    request.milliseconds = 2_000
    let answer: HostAnswerParts
    do {
      answer = try await host.collect(request)
    } catch let refusal as Refusal where refusal.reply.code == .missing {
      try await load(host)
      answer = try await host.collect(request)
    }
    guard answer.ended == nil, let end = answer.end, let last = answer.entries.last?.seq,
      last == first + count - 1
    else { return false }
    setPreview(BranchPreview(host: host, seqs: first...last, end: end, rows: answer.entries))
    return true
  }

  /// The pieces of the plan; for the parent's entries, only their seqs.
  private func keptSteps() async throws -> [ToRecorder.ReduceStep]? {
    guard runner.next == draft.plan.firstStep else { return nil }
    let parent = draft.header.parent?.timeline ?? branch
    let pieces = try await store.read { [draft] reader in
      var window = EntryWindow(reader, try reader.lineage(of: parent))
      return try draft.plan.pieces(baseTime: draft.baseTime) { try window.entry(at: $0) }
    }
    return try pieces?.map { piece in
      switch piece {
      case .step(let step): return try ToRecorder.ReduceStep(step)
      case .run(let seqs): return ToRecorder.ReduceStep { $0.kept = SeqRange(seqs) }
      }
    }
  }

  /// Sends the parent's events to the host; those after the ones that it already keeps, or all.
  private func load(_ host: any ReducerHosting) async throws {
    guard let parent = draft.header.parent?.timeline, let wanted = draft.plan.parentSeqs else {
      return
    }
    let known = try await host.collect(loading(parent, [], from: wanted.lowerBound)).kept
    var next = wanted.lowerBound
    if let known, known.lowerBound <= next, known.upperBound < wanted.upperBound {
      next = max(next, known.upperBound + 1)
    }
    var upcoming = read(parent, next...wanted.upperBound)
    while true {
      let steps = try await upcoming.value
      guard let last = steps.last?.seq else { return }
      let from = next
      next = last + 1
      upcoming = read(parent, next...max(next, wanted.upperBound))
      do {
        _ = try await host.collect(loading(parent, steps, from: from))
      } catch {
        upcoming.cancel()
        throw error
      }
      if next > wanted.upperBound { return upcoming.cancel() }
    }
  }

  private func loading(
    _ parent: TimelineID, _ steps: [PlannedStep], from seq: Int64
  ) throws -> ToRecorder.Reduce {
    let steps = try steps.map { try ToRecorder.ReduceStep($0) }
    return ToRecorder.Reduce {
      $0.make = draft.header.machine.make ?? ""
      $0.seq = seq
      $0.timeline = parent
      $0.load = true
      $0.steps = steps
    }
  }

  private func read(
    _ timeline: TimelineID, _ seqs: ClosedRange<Int64>
  ) -> Task<[PlannedStep], any Error> {
    Task { [store] in
      try await store.read { reader in
        var window = EntryWindow(reader, try reader.lineage(of: timeline))
        var steps: [PlannedStep] = []
        var bytes = 0
        for seq in seqs where steps.count < Self.loadSteps && bytes < Self.loadBytes {
          guard let entry = try window.entry(at: seq) else { break }
          let action: PlannedStep.Action
          if entry.isFixedPoint {
            action = .take(entry)
          } else if let event = entry.event {
            action = .reduce(event)
          } else {
            break
          }
          bytes += entry.line.range.count
          steps.append(
            PlannedStep(
              seq: seq, was: seq, t: entry.t, action: action, cause: entry.cause,
              origin: entry.origin, at: entry.at))
        }
        return steps
      }
    }
  }

  private static let loadBytes = 2 << 20

  /// The full pass: while entries are checked and stored, the host computes the next ones.
  private func computeAllKept(_ host: any ReducerHosting) async throws -> Bool {
    var count: Int64 = 128
    var upcoming = batch(from: runner.next, count, host)
    var feed = try await self.feed()
    while runner.next < draft.own.upperBound {
      let (answer, time) = try await upcoming.value
      try Task.checkCancellation()
      guard let last = answer.entries.last?.seq else { return false }
      if time > Self.batchTime {
        count = max(64, count / 2)
      } else if time < Self.batchTime / 2, count < Self.mostBatch {
        count *= 2
      }
      let isLast = answer.ended != nil || last >= draft.own.upperBound - 1
      if !isLast { upcoming = batch(from: last + 1, count, host) }
      do {
        let entries = try await checked(answer.entries, &feed)
        runner.next += Int64(entries.count)
        try await add(entries)
      } catch {
        if !isLast { upcoming.cancel() }
        throw error
      }
      if answer.ended != nil { return false }
    }
    return true
  }

  private func batch(
    from seq: Int64, _ count: Int64, _ host: any ReducerHosting
  ) -> Task<(HostAnswerParts, Duration), any Error> {
    let request = running(seq, min(count, draft.own.upperBound - seq))
    return Task { [clock] in
      try await clock.timing { try await host.collect(request) }
    }
  }

  func running(_ seq: Int64, _ count: Int64) -> ToRecorder.Reduce {
    ToRecorder.Reduce {
      $0.make = draft.header.machine.make ?? ""
      $0.seq = seq
      $0.timeline = branch
      $0.count = count
    }
  }

  /// The entries that a host returned, if they match the steps of the plan.
  private func checked(_ entries: [Entry], _ feed: inout StepFeed) async throws -> [Entry] {
    let now = feed
    let (steps, next) = try await store.read { reader in
      var feed = now
      let steps = try feed.next(entries.count, bytes: .max, reader)
      return (steps, feed)
    }
    feed = next
    return try entries.enumerated().map { index, entry in
      guard index < steps.count, case let planned = steps[index], entry.seq == planned.seq,
        entry.patch != nil, entry.was == planned.was, entry.t == planned.t
      else {
        throw Refusal(
          .failed, "The host answered with entry \(entry.seq), which was not requested.")
      }
      let step = try Runner.Step(planned)
      try CopiedKeys(entry, of: step.step).check()
      return try step.given.map { try entry.given(as: $0) } ?? entry
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Runs an operation and measures how long it took.
  fileprivate func timing<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> (Value, Duration) {
    let start = now
    let value = try await body()
    return (value, start.duration(to: now))
  }
}
