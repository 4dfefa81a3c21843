internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

// Computing one batch.
extension BranchJob {
  func compute(_ batch: [PlannedStep]) async throws {
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
        // A host may return a useless answer because it was restarted.
        attempts = next > before ? 1 : attempts + 1
        guard attempts < Self.attempts else { throw refusal }
        base = nil
        try await clock.sleep(for: .milliseconds(100 * attempts))
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

  /// How often one entry is requested before the branch ends.
  private static let attempts = 3

  /// Whether a branch ends where a host's answer ended.
  private func isFinal(
    _ end: EarlyEnd, hasProgress: Bool, _ trapped: inout Int64?
  ) async -> Bool {
    if end.why == .trap, end.guess, askedEnd - next > 1 {
      // It is not known which entry is at fault: keep halving until one is left.
      suspectsEnd = askedEnd
      return false
    }
    switch end.why {
    case .limit:
      // Time and memory limits apply to a request; try each entry in a request of its own.
      return !hasProgress
    case .trap:
      // The host may have been killed from outside. A real trap happens again.
      defer { trapped = next }
      return trapped == next
    case .undecodable, .gap, .canceled, .failed: return true
    }
  }

  private func reduce() async throws {
    base = try await startingMoment()
    let host = try await hosts.host(for: draft.header, named: nil)
    phase = .running
    let request = try await request()
    let before = expected.count
    snapshot = nil
    early = nil
    try await host.reduce(request) { part in try await self.receive(part) }
    base = snapshot
    if let end = suspectsEnd, next >= end { suspectsEnd = nil }
    if early == nil { try checkIsWhole(answered: before - expected.count, by: host.summary.name) }
  }

  /// Refuses an answer that ends early without a reason.
  ///
  /// Without this check, an answer that makes no progress would be requested again without limit.
  private func checkIsWhole(answered: Int, by host: String) throws(Refusal) {
    let attempts = "\(Self.attempts) times"
    if needsFirst {
      throw Refusal(
        .failed,
        """
        The host '\(host)' answered without entry 0, \(attempts). To fix, have it begin its answer \
        with entry 0 when 'seq' is 0.
        """)
    }
    guard answered < asked else { return }
    throw Refusal(
      .failed,
      """
      The host '\(host)' answered without entry \(next), \(attempts). To fix, have it answer one \
      entry for each step, or say by 'ended' why there are fewer.
      """)
  }

  /// The moment after the last entry, where no host has reported it.
  func storedBase() async throws -> BranchBase {
    try await untilDurable(next - 1)
    return try await knownBase(EntryReference(timeline: branch, seq: next - 1))
  }

  private func request() async throws -> ToRecorder.Reduce {
    let remembered = try await remembered()
    let (base, next) = (base, next)
    let most = suspectsEnd.map { max(1, Int($0 - next) / 2) } ?? .max
    let steps = try expected.prefix(most).map { try ToRecorder.ReduceStep($0) }
    asked = steps.count
    askedEnd = next + Int64(asked) + (needsFirst ? 1 : 0)
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

  /// The states that the undo of a form goes back to, if they are before the batch.
  private func remembered() async throws -> [ToRecorder.RememberedState] {
    guard draft.header.machine.kind == "form" else { return [] }
    let parent = draft.header.parent?.timeline ?? branch
    var states: [ToRecorder.RememberedState] = []
    for source in Set(expected.compactMap(\.undone)).sorted() {
      guard let seq = draft.plan.seq(ofParent: source), seq < next else { continue }
      let isShared = seq < draft.own.lowerBound
      if !isShared { try await untilDurable(seq) }
      let moment = EntryReference(timeline: isShared ? parent : branch, seq: seq)
      // If the state is unknown, the undo fails with its own message.
      let known = try? await knownBase(moment)
      guard let state = known?.state else { continue }
      states.append(ToRecorder.RememberedState(was: source, seq: seq, state))
    }
    return states
  }

  /// Stores a part of the host's answer.
  private func receive(_ part: FromRecorder.Reduced) async throws {
    var entries: [Entry] = []
    entries.reserveCapacity(part.entries.count)
    do {
      for slice in part.entries { entries.append(try check(slice)) }
    } catch {
      // Keep the entries that passed the check: they are no longer expected.
      try await add(entries)
      throw error
    }
    if !entries.isEmpty { decide() }
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
      throw Refusal(.failed, "The host answered with an invalid entry: \(error)")
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
      .failed, "The host answered with entry \(entry.seq), which was not requested.")
  }

  private func waitForHost(_ refusal: Refusal) async throws {
    // A branch may wait for days; report that once.
    let isNews = if case .waiting(refusal.reply.message) = phase { false } else { true }
    phase = .waiting(refusal.reply.message)
    waiters.releaseAll()
    decide()
    if isNews { report(.changed(branch, progress)) }
    // Until the hosts change, or a host is found anyway.
    await waiters.wait(upTo: .max, milliseconds: 1_000)
  }
}
