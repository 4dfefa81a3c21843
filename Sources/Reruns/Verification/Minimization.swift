internal import JSONCore
internal import Timelines
internal import Wire

/// Searches for the fewest events of a recording after which a predicate holds.
///
/// Events after the failure are cut off. Then blocks of events are removed, from the end and in
/// ever smaller blocks, until no single event can be removed. Then the payloads of the remaining
/// events are simplified, as long as exactly these events lead to the failure: a simpler payload
/// with which fewer of them fail has found another failure. Values that differ between recorded
/// events stay different. An event is removed together with the events that it caused, and keeps its
/// payload while one of them remains: a response answers its request.
struct Minimization {
  private let host: any ReducerHosting
  private let deadline: ContinuousClock.Instant
  private let caused: CausedEvents
  private let keepsPayloads: Bool
  private let report: ProgressReport
  private let total: Int
  private var trials: Trials
  private var best: Candidate

  struct Result {
    /// The remaining events.
    var items: [Candidate.Item]
    /// The number of trials.
    var runs: Int64
    /// Whether removing any single event, with what it caused, loses the failure.
    var isMinimal: Bool
  }

  /// Today's reducer does not reach the failure, so there is nothing to minimize.
  struct NotReproduced: Error {
    /// Why the rerun of the recorded events ended early; `nil` if it finished.
    var ended: EarlyEnd?
  }

  /// A search among recorded events; the last one leads to the failure.
  ///
  /// - Parameters:
  ///   - base: the entry before them, after which the moment is `start`.
  ///   - isForm: whether events may go back to earlier states.
  ///   - caused: which of them were caused by others.
  ///   - keepsPayloads: whether the events that remain stay as they were recorded.
  init(
    _ items: [Candidate.Item], after base: Int64, from start: Snapshot, isForm: Bool,
    caused: CausedEvents = .none, keepsPayloads: Bool = false,
    make: String, failure: TargetFailure,
    on host: any ReducerHosting, time: Duration, report: @escaping ProgressReport,
    recorded: @escaping @Sendable (Entry) async throws -> Snapshot?
  ) {
    self.host = host
    self.report = report
    self.caused = caused
    self.keepsPayloads = keepsPayloads
    deadline = .now + time
    total = items.count
    best = Candidate(items: items)
    let targets = isForm ? Set(items.compactMap { $0.entry.event?.undone }) : []
    trials = Trials(
      host: host, make: make, failure: failure, start: start, untouched: items.count,
      memory: TrialMemory(targets: targets, base: base), recorded: recorded)
  }

  /// Searches until no event can be removed, or the time is over.
  ///
  /// - Throws: ``NotReproduced`` if all events together no longer lead to the failure.
  mutating func run() async throws -> Result {
    // Run all of it from the start: from recorded moments, a fixed reducer would still seem to
    // fail.
    guard let count = try await trials.reproduces(best) else {
      throw NotReproduced(ended: trials.ended)
    }
    best.items.removeSubrange(count...)
    let isMinimal = try await dropBlocks()
    if isMinimal, !keepsPayloads { try await simplify() }
    return Result(items: best.items, runs: trials.runs, isMinimal: isMinimal)
  }

  private var isOver: Bool { .now >= deadline }

  /// Removes blocks; returns whether it finished in time.
  private mutating func dropBlocks() async throws -> Bool {
    var size = (best.items.count - 1) / 2
    while size > 1 {
      // The failing event stays until single events are tried.
      var end = best.items.count - 1
      while end > 0 {
        guard !isOver else { return false }
        let start = max(0, end - size)
        _ = try await drop(start..<end)
        end = min(start, best.items.count - 1)
      }
      size = min(size, max(best.items.count, 2)) / 2
    }
    return try await dropSingles()
  }

  private mutating func dropSingles() async throws -> Bool {
    var wasDropped = true
    while wasDropped {
      wasDropped = false
      var index = best.items.count - 1
      while index >= 0 {
        guard !isOver else { return false }
        if best.items.count > 1, try await drop(index..<index + 1) { wasDropped = true }
        index = min(index, best.items.count) - 1
      }
    }
    return true
  }

  /// Removes events, and what they caused, if the failure remains without them.
  private mutating func drop(_ range: Range<Int>) async throws -> Bool {
    var candidate = best
    caused.remove(range, from: &candidate)
    return try await accept(candidate, same: range.lowerBound)
  }

  private mutating func accept(_ candidate: Candidate, same: Int) async throws -> Bool {
    guard let count = try await trials.fails(candidate, same: same) else { return false }
    best = candidate
    best.items.removeSubrange(count...)
    await report()
    return true
  }

  /// Simplifies payloads while the same events fail.
  private mutating func simplify() async throws {
    for index in best.items.indices.reversed() {
      while try await simplify(at: index) {}
    }
  }

  /// Makes one value of an event simpler; returns whether the same events still fail.
  private mutating func simplify(at index: Int) async throws -> Bool {
    let item = best.items[index]
    // An undo has only its target, which must stay.
    guard !trials.goesBack(item), !caused.hasEffects(of: item, in: best),
      let event = (item.simpler ?? item.entry.event)?.value
    else { return false }
    let distinct = DistinctPayloads(in: best, besides: index)
    for variant in SimplerEvents.variants(of: event) where distinct.areKept(by: variant) {
      guard !isOver else { return false }
      var candidate = best
      candidate.items[index].simpler = try variant.slice
      let earlier = trials
      if try await failsWithAllEvents(candidate, same: index) {
        best = candidate
        await report()
        return true
      }
      trials = earlier.counting(trials)
    }
    return false
  }

  /// Whether a candidate fails after its last event, and does not fail without any of its events.
  private mutating func failsWithAllEvents(
    _ candidate: Candidate, same: Int
  ) async throws -> Bool {
    guard try await trials.fails(candidate, same: same) == candidate.items.count
    else { return false }
    // Without the last one, the candidate did not fail.
    for index in candidate.items.indices.dropLast() {
      var fewer = candidate
      caused.remove(index..<index + 1, from: &fewer)
      guard !isOver, try await trials.fails(fewer, same: index) == nil else { return false }
    }
    return true
  }

  private func report() async {
    let (left, runs, total) = (best.items.count, trials.runs, total)
    await report(
      .progress(
        ToInspector.Progress {
          $0.done = Int64(total - left)
          $0.of = Int64(total)
          $0.message = "\(left) of \(total) events are left after \(runs) runs"
        }))
  }
}

extension Minimization.Result {
  /// The script that keeps these events of a stretch of the recording, and nothing else.
  ///
  /// - Parameters:
  ///   - base: the entry whose moment they start from.
  ///   - end: the entry of the failure.
  ///   - entries: the recorded seqs after `base`, up to `end`.
  func script(after base: Int64, isFirst: Bool, through end: Int64, last: Int64) -> EditScript {
    var edits: [Edit] = []
    if end < last { edits.append(.cut(end)) }
    if !isFirst { edits.append(.startAt(base)) }
    var next = base + 1
    for item in items {
      if item.entry.seq > next { edits.append(.drop(next...item.entry.seq - 1)) }
      next = item.entry.seq + 1
    }
    if next <= end { edits.append(.drop(next...end)) }
    for item in items {
      if let event = item.simpler { edits.append(.replace(item.entry.seq, event: event)) }
    }
    return EditScript(edits)
  }
}
