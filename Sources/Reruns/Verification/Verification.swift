internal import JSONCore
internal import Timelines
internal import Wire

/// Runs a recording again and finds the first entry that comes out differently.
///
/// With several processes, each with its own hash seed, time zone, and locale, it also
/// distinguishes a reducer that depends on more than its input from one whose code has changed.
struct Verification: Sendable {
  private let batches: RecordedBatches
  private let hosts: [any ReducerHosting]
  private let confirmation: Confirmation
  private let report: ProgressReport

  /// - Parameter helper: a host in another process that takes some of the work, if one process is
  ///   requested.
  init(
    _ batches: RecordedBatches, on hosts: [any ReducerHosting],
    helpedBy helper: (any ReducerHosting)? = nil, report: @escaping ProgressReport
  ) {
    self.batches = batches
    self.hosts = hosts
    self.report = report
    confirmation = Confirmation(
      batches.recording, through: batches.stretch.upperBound,
      crews: [hosts] + (helper.map { [[$0]] } ?? []))
  }

  private struct Answered: Sendable {
    var batch: RecordedBatches.Batch
    var replicas: ParallelReruns
    /// The results of all processes for entry 0, if several were asked.
    var beginnings: ParallelReruns?
  }

  private struct Tally {
    var compared: Int64 = 0
    /// Entries without a recorded state to compare.
    var unknown: Int64 = 0
    /// Those since the last entry with a state: they are confirmed if the next one is equal.
    var open: Int64 = 0
    /// Those that nothing can confirm.
    var unconfirmed: Int64 = 0
    var isRedacted = false

    mutating func addSame(_ count: Int64 = 1) {
      compared += count
      open = 0
    }

    mutating func addUnknown() {
      unknown += 1
      open += 1
    }

    /// A given state confirms nothing about the entries before it.
    mutating func startOver() {
      unconfirmed += open
      open = 0
    }
  }

  /// The initial number of entries to compare by value when bytes did not prove them; it doubles
  /// while that is frequent, up to the size of a batch.
  private static let leastCount = 64
  /// The minimum number of entries that bytes must prove for the next comparison to be a short one.
  private static let worthwhile: Int64 = 2_000

  /// Verifies the stretch.
  func run() async throws -> ToInspector.Verify {
    var tally = Tally()
    tally.isRedacted = try await batches.recording.hasStandIns(before: batches.stretch.lowerBound)
    var agreement = Agreement(batches.recording, after: batches.stretch.lowerBound - 1)
    var seq = batches.stretch.lowerBound
    var count = Self.leastCount
    var isSupported = true
    while true {
      try Task.checkCancellation()
      if isSupported {
        let confirmed = try await confirmation.run(from: seq) { [seq] in await report(seq + $0) }
        isSupported = confirmed.isSupported
        if !isSupported { count = StoredRecording.batchEntries }
        if confirmed.next > seq {
          tally.addSame(confirmed.next - seq)
          tally.isRedacted = tally.isRedacted || confirmed.isRedacted
          agreement.skip(through: confirmed.next - 1)
          if confirmed.next - seq >= Self.worthwhile { count = Self.leastCount }
          seq = confirmed.next
        }
      }
      guard let answered = try await run(at: seq, count) else { return verdict(tally) }
      if let verdict = try await check(answered, &agreement, &tally) { return verdict }
      seq = answered.batch.next
      count = min(2 * count, StoredRecording.batchEntries)
      await report(seq)
    }
  }

  private func run(at seq: Int64, _ count: Int) async throws -> Answered? {
    guard let batch = try await batches.batch(at: seq, count: count) else { return nil }
    var answered = Answered(
      batch: batch, replicas: try await Self.all(hosts) { try await batches.run(batch, on: $0) })
    if seq == 0, hosts.count > 1, batch.given.first?.seq == 0 {
      answered.beginnings = try await Self.all(hosts) { try await batches.runFirst(on: $0) }
    }
    return answered
  }

  private static func all(
    _ hosts: [any ReducerHosting],
    _ run: @escaping @Sendable (any ReducerHosting) async throws -> Rerun
  ) async throws -> ParallelReruns {
    try await withThrowingTaskGroup(of: (Int, Rerun).self) { group in
      for (index, host) in hosts.enumerated() {
        group.addTask { (index, try await run(host)) }
      }
      var reruns = Array(repeating: Rerun(), count: hosts.count)
      for try await (index, rerun) in group { reruns[index] = rerun }
      return ParallelReruns(reruns: reruns)
    }
  }

  private func check(
    _ answered: Answered, _ agreement: inout Agreement, _ tally: inout Tally
  ) async throws -> ToInspector.Verify? {
    let (batch, replicas) = (answered.batch, answered.replicas)
    if let split = try answered.beginnings?.split(first: 0) { return try impure(split, tally) }
    for entry in batch.given {
      tally.isRedacted = tally.isRedacted || !entry.redacted.isEmpty
      let isBeginning = entry.seq == 0 || entry.gap != nil || entry.isFixedPoint
      if entry.isThinned || !isBeginning { tally.addUnknown() }
      tally.startOver()
      agreement.accept(entry)
    }
    guard let first = batch.entries.first, let rerun = replicas.reruns.first else { return nil }
    let split = try replicas.split(first: first.seq)
    for (recorded, computed) in zip(batch.entries, rerun.entries) {
      if let split, split.seq == recorded.seq { return try impure(split, tally) }
      tally.isRedacted = tally.isRedacted || !recorded.redacted.isEmpty
      if recorded.isFixedPoint {
        // As at a batch that starts with it.
        tally.startOver()
        agreement.accept(recorded)
        continue
      }
      switch try await agreement.check(recorded, computed) {
      case .same: tally.addSame()
      case .unknown: tally.addUnknown()
      case .differs(let difference):
        let split = try await splitOfAnotherRun(answered, through: difference.seq)
        return try split.map { try impure($0, tally) } ?? differs(difference, tally)
      }
    }
    if let split { return try impure(split, tally) }
    guard let ended = rerun.ended else { return nil }
    let reached = batch.entries.first { $0.seq == ended.seq }
    if ended.why == .trap, reached?.error == "trapped" {
      // It trapped in the recording and in the rerun.
      tally.addSame()
      return verdict(tally)
    }
    tally.isRedacted = tally.isRedacted || reached?.redacted.isEmpty == false
    return Self.verdict(ended, tally)
  }

  /// Where the processes differ, up to an entry, in another run of the same events.
  ///
  /// Two processes that ran at the same time may have read the same clock. If the hosts do not get
  /// there again, the original finding holds.
  private func splitOfAnotherRun(
    _ answered: Answered, through seq: Int64
  ) async throws -> ParallelReruns.Split? {
    guard hosts.count > 1, let first = answered.batch.entries.first else { return nil }
    let again: ParallelReruns
    do {
      again = try await Self.all(hosts) { try await batches.run(answered.batch, on: $0) }
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil
    }
    let all = ParallelReruns(reruns: answered.replicas.reruns + again.reruns)
    guard again.reruns.allSatisfy({ $0.entries.contains { $0.seq == seq } }),
      let split = try all.split(first: first.seq), split.seq <= seq
    else { return nil }
    return split
  }

  private func report(_ next: Int64) async {
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

// Answers.
extension Verification {
  private func verdict(_ tally: Tally) -> ToInspector.Verify {
    let unconfirmed = tally.unconfirmed + tally.open
    return ToInspector.Verify {
      $0.outcome = tally.compared == 0 || unconfirmed > 0 ? .inconclusive : .same
      $0.entries = tally.compared
      if tally.unknown > 0 {
        $0.message = """
          \(Counted.entries(tally.unknown)) could not be compared, because states were not captured; \
          \(unconfirmed == 0 ? "what follows them confirms them." : "nothing confirms \(unconfirmed).")
          """
      } else if tally.compared == 0 {
        $0.message = "There was nothing to compare."
      }
    }
  }

  private func impure(
    _ split: ParallelReruns.Split, _ tally: Tally
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
      if isRedacted { $0.message = Self.redacted }
    }
  }

  private static let redacted =
    "redacted input: the host was given stand-ins, which may be why it differs."

  private static func verdict(_ ended: EarlyEnd, _ tally: Tally) -> ToInspector.Verify {
    ToInspector.Verify {
      let isDifference = [.trap, .undecodable].contains(ended.why) && !tally.isRedacted
      $0.outcome = isDifference ? .differs : .inconclusive
      $0.entries = tally.compared
      $0.seq = ended.seq
      $0.why = ended.why
      $0.message = tally.isRedacted ? "\(ended.sentence) \(redacted)" : ended.sentence
    }
  }
}
