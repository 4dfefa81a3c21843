internal import JSONCore
internal import Timelines

/// Runs a recording again and names the first entry that comes out differently.
///
/// In several processes of their own, each with its own hash seed, time zone and locale, it also
/// tells a reducer that depends on more than its input from one whose code has changed.
struct Verification: Sendable {
  private let batches: RecordedBatches
  private let hosts: [any ReducerHosting]
  private let report: LookUps.Report

  init(_ batches: RecordedBatches, on hosts: [any ReducerHosting], report: @escaping LookUps.Report)
  {
    self.batches = batches
    self.hosts = hosts
    self.report = report
  }

  private struct Answered: Sendable {
    var batch: RecordedBatches.Batch
    var replicas: Replicas
  }

  /// What was found so far.
  private struct Tally {
    var compared: Int64 = 0
    var unknown: Int64 = 0
    var isRedacted = false
  }

  /// Verifies the stretch.
  func run() async throws -> ToInspector.Verify {
    var tally = Tally()
    var agreement = Agreement(batches.recording, after: batches.stretch.lowerBound - 1)
    // The next batch is with the hosts while this one is looked at.
    var ahead = start(at: batches.stretch.lowerBound)
    defer { ahead.cancel() }
    while let answered = try await withTaskCancellationHandler(
      operation: { try await ahead.value }, onCancel: { [ahead] in ahead.cancel() })
    {
      try Task.checkCancellation()
      ahead = start(at: answered.batch.next)
      if let verdict = try await check(answered, &agreement, &tally) { return verdict }
      await tell(answered.batch.next)
    }
    return verdict(tally)
  }

  private func start(at seq: Int64) -> Task<Answered?, any Error> {
    Task { [batches, hosts] in
      guard let batch = try await batches.batch(at: seq) else { return nil }
      let reruns = try await withThrowingTaskGroup(of: (Int, Rerun).self) { group in
        for (index, host) in hosts.enumerated() {
          group.addTask { (index, try await batches.run(batch, on: host)) }
        }
        var reruns = Array(repeating: Rerun(), count: hosts.count)
        for try await (index, rerun) in group { reruns[index] = rerun }
        return reruns
      }
      return Answered(batch: batch, replicas: Replicas(reruns: reruns))
    }
  }

  private func check(
    _ answered: Answered, _ agreement: inout Agreement, _ tally: inout Tally
  ) async throws -> ToInspector.Verify? {
    let (batch, replicas) = (answered.batch, answered.replicas)
    for entry in batch.given {
      tally.unknown += entry.isThinned ? 1 : 0
      agreement.take(entry)
    }
    guard let first = batch.entries.first, let rerun = replicas.reruns.first else { return nil }
    let split = try replicas.split(first: first.seq)
    for (recorded, computed) in zip(batch.entries, rerun.entries) {
      if let split, split.seq == recorded.seq { return try impure(split, tally) }
      tally.isRedacted = tally.isRedacted || !recorded.redacted.isEmpty
      switch try await agreement.check(recorded, computed) {
      case .same: tally.compared += 1
      case .unknown: tally.unknown += 1
      case .differs(let difference): return try differs(difference, tally)
      }
    }
    if let split { return try impure(split, tally) }
    guard let ended = rerun.ended else { return nil }
    let reached = batch.entries.first { $0.seq == ended.seq }
    if ended.why == .trap, reached?.error == "trapped" {
      // It trapped then, and it traps now.
      tally.compared += 1
      return verdict(tally)
    }
    return Self.verdict(ended, tally.compared)
  }

  private func tell(_ next: Int64) async {
    let stretch = batches.stretch
    await report(
      .progress(
        ToInspector.Progress {
          $0.done = max(0, next - stretch.lowerBound)
          $0.of = stretch.upperBound - stretch.lowerBound + 1
          $0.message = "Running it again"
        }))
  }
}

// What is answered.
extension Verification {
  private func verdict(_ tally: Tally) -> ToInspector.Verify {
    ToInspector.Verify {
      $0.outcome = tally.compared == 0 && tally.unknown > 0 ? .inconclusive : .same
      $0.entries = tally.compared
      if tally.unknown > 0 {
        $0.message = """
          The states of \(tally.unknown) entries were not captured, so they could not be compared.
          """
      }
    }
  }

  private func impure(
    _ split: Replicas.Split, _ tally: Tally
  ) throws -> ToInspector.Verify {
    let patch = try split.patch?.json.slice
    return ToInspector.Verify {
      $0.outcome = .impure
      $0.entries = tally.compared
      $0.seq = split.seq
      $0.patch = patch
      $0.message = """
        \(hosts.count) processes do not agree after entry \(split.seq): the reducer depends on \
        more than its state and event, such as the time, a random number, the order of a \
        dictionary, the time zone or the locale.
        """
    }
  }

  private func differs(
    _ difference: Agreement.Difference, _ tally: Tally
  ) throws -> ToInspector.Verify {
    let patch = try difference.patch.json.slice
    let isRedacted = difference.isRedacted || tally.isRedacted
    return ToInspector.Verify {
      $0.outcome = isRedacted ? .inconclusive : .differs
      $0.entries = tally.compared
      $0.seq = difference.seq
      $0.patch = patch
      if isRedacted {
        $0.message = "redacted input: the host was given stand-ins, which may be why it differs."
      }
    }
  }

  private static func verdict(_ ended: EarlyEnd, _ compared: Int64) -> ToInspector.Verify {
    ToInspector.Verify {
      $0.outcome = [.trap, .undecodable].contains(ended.why) ? .differs : .inconclusive
      $0.entries = compared
      $0.seq = ended.seq
      let what =
        switch ended.why {
        case .trap: "The reducer trapped."
        case .undecodable: "The event or state does not decode any more."
        case .limit: "The host's limits were reached."
        case .gap: "Entries were lost."
        case .cancelled, .failed: "The host did not get to its end."
        }
      $0.message = ended.message.map { "\(what) \($0)" } ?? what
    }
  }
}
