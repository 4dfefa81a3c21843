internal import JSONCore
import Predicates
internal import Synchronization
internal import TimelineStore
package import Timelines
package import Wire

/// A branch that is computed for a file, and not stored.
package struct WhatIfBranch: Sendable {
  /// The header, with the edits.
  package let header: Header
  /// The entries that it does not share with its parent.
  package let entries: [Entry]
  /// Why there are fewer entries than events.
  package let ended: EarlyEnd?
}

/// Computes branches of one recording, one after the other.
struct WhatIfRun: Sendable {
  let recording: StoredRecording
  let host: any ReducerHosting
  let hosts: any ReducerHosts
  let requestBytes: Int

  /// The events of a branch are too long for one message to the host.
  struct TooLong: Error {}

  /// The branch of a script; `nil` if the script does not fit the recording, such as one that moves an
  /// entry whose state was given.
  ///
  /// - Throws: also ``TooLong``.
  func branch(
    _ script: EditScript, through: Int64, name: String? = nil, failure: Predicate? = nil
  ) async throws -> WhatIfBranch? {
    let edits = try JSONSlice(validating: script.text)
    let asked = FromInspector.Fork {
      $0.timeline = recording.id
      $0.through = through
      $0.edits = edits
      $0.name = name
      $0.failure = failure
    }
    let found: (draft: BranchDraft, steps: [PlannedStep])
    do {
      found = try await recording.store.read { reader in
        let draft = try BranchDraft.new(asked, reader)
        var feed = StepFeed(draft)
        let steps = try feed.next(
          Int(clamping: draft.plan.stepCount), bytes: requestBytes, reader)
        guard feed.left == 0 else { throw TooLong() }
        return (draft, steps)
      }
    } catch let refusal as Refusal where refusal.reply.code == .wrongValue {
      return nil
    }
    guard found.draft.plan.sharesPrefix else { return nil }
    let (entries, ended) = try await run(found.draft, found.steps)
    return WhatIfBranch(header: found.draft.header, entries: entries, ended: ended)
  }

  private func run(
    _ draft: BranchDraft, _ steps: [PlannedStep]
  ) async throws -> (entries: [Entry], ended: EarlyEnd?) {
    let base = EntryReference(timeline: recording.id, seq: draft.plan.base.seq)
    let start = try await HostMoment.moment(
      base, header: recording.header, store: recording.store, hosts: hosts)
    var moment = Snapshot(
      state: start.state?.value ?? .null, outputs: start.outputs?.value ?? .object(JSON.Object()))
    var runner = Runner(
      make: recording.make, next: draft.plan.firstStep, base: start, rule: .steps)
    runner.add(try steps.map { try Runner.Step($0) })
    var entries: [Entry] = []
    while runner.begin() {
      try Task.checkCancellation()
      runner.base = try HostMoment(moment)
      let more = try await host.attempt(
        &runner, remembered: try await remembered(by: runner, draft))
      for entry in more { try Agreement.advance(&moment, by: entry) }
      entries += more
      if let end = runner.end() { return (entries, end) }
    }
    return (entries, nil)
  }

  /// The states before the branch that the undo of a form goes back to; the host knows the others.
  private func remembered(
    by runner: Runner, _ draft: BranchDraft
  ) async throws -> [ToRecorder.RememberedState] {
    guard draft.header.machine.kind == "form" else { return [] }
    var states: [ToRecorder.RememberedState] = []
    for source in runner.undone {
      guard let seq = draft.plan.seq(ofParent: source), seq < draft.plan.firstStep,
        let state = try await recording.snapshot(at: source)?.state
      else { continue }
      states.append(ToRecorder.RememberedState(was: source, seq: seq, try state.slice))
    }
    return states
  }
}

extension ReducerHosting {
  /// Sends one request for the steps of a runner that are not answered; returns the new entries.
  fileprivate func attempt(
    _ runner: inout Runner, remembered: [ToRecorder.RememberedState]
  ) async throws -> [Entry] {
    let request = runner.request(snapshot: true, remembered: remembered)
    let running = Mutex((runner: runner, entries: [Entry]()))
    try await reduce(request) { part in
      let received = running.withLock { running in
        let received = running.runner.receive(part)
        running.entries += received.entries
        return received
      }
      if let problem = received.problem { throw problem }
    }
    let entries: [Entry]
    (runner, entries) = running.withLock { $0 }
    try runner.finish(by: summary.name)
    return entries
  }
}
