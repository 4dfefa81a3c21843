internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

// Computing one batch.
extension BranchJob {
  func compute(_ batch: [PlannedStep]) async throws {
    runner.add(try batch.map { try Runner.Step($0) })
    while runner.begin() {
      try Task.checkCancellation()
      do {
        try await reduce()
      } catch let refusal as Refusal where refusal.reply.code == .noHost {
        try await waitForHost(refusal)
        continue
      } catch let refusal as Refusal {
        guard let delay = runner.retryDelay() else { throw refusal }
        try await clock.sleep(for: delay)
      }
      if let end = runner.end() {
        early = end
        return
      }
    }
  }

  private func reduce() async throws {
    runner.base = try await startingMoment()
    let host = try await hosts.host(for: draft.header, named: nil)
    phase = .running
    let remembered = try await remembered()
    let request = runner.request(snapshot: true, remembered: remembered)
    try await host.reduce(request) { part in try await self.receive(part) }
    try runner.finish(by: host.summary.name)
  }

  /// The moment after the last entry, where no host has reported it.
  func storedBase() async throws -> HostMoment {
    let last = runner.next - 1
    try await untilDurable(last)
    return try await knownBase(EntryReference(timeline: branch, seq: last))
  }

  /// The states that the undo of a form goes back to, if they are before the batch.
  private func remembered() async throws -> [ToRecorder.RememberedState] {
    guard draft.header.machine.kind == "form" else { return [] }
    let parent = draft.header.parent?.timeline ?? branch
    var states: [ToRecorder.RememberedState] = []
    for source in runner.undone {
      guard let seq = draft.plan.seq(ofParent: source), seq < runner.next else { continue }
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
    let received = runner.receive(part)
    if received.problem == nil, !received.entries.isEmpty { decide() }
    // Also the entries before an invalid one: they are no longer expected.
    try await add(received.entries)
    if let problem = received.problem { throw problem }
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
