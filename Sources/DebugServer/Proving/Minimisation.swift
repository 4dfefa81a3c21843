internal import JSONCore
internal import Timelines

/// Looks for the fewest events of a recording after which a predicate holds.
///
/// What follows the failure is cut off; blocks of events are left out, from the back and ever smaller
/// ones, until no single event can be left out; then what is left is made simpler.
struct Minimisation {
  private let host: any ReducerHosting
  private let deadline: ContinuousClock.Instant
  private let report: LookUps.Report
  private let total: Int
  private var trials: Trials
  private var best: Candidate

  /// What came out.
  struct Result {
    /// The events that are left.
    var items: [Candidate.Item]
    /// How often the reducer was run over a candidate.
    var runs: Int64
    /// Whether leaving out any one event breaks it.
    var isMinimal: Bool
  }

  /// A search among recorded events of which the last one leads to the failure.
  ///
  /// - Parameters:
  ///   - base: the entry before them, after which the moment is `start`.
  ///   - isForm: whether events may go back to earlier states.
  init(
    _ items: [Candidate.Item], after base: Int64, from start: Snapshot, isForm: Bool,
    make: String, needle: Needle,
    on host: any ReducerHosting, seconds: Int64, report: @escaping LookUps.Report,
    recorded: @escaping @Sendable (Entry) async throws -> Snapshot?
  ) {
    self.host = host
    self.report = report
    deadline = .now + .seconds(seconds)
    total = items.count
    best = Candidate(items: items)
    let targets = isForm ? Set(items.compactMap { $0.entry.event?.undone }) : []
    trials = Trials(
      host: host, make: make, needle: needle, start: start, untouched: items.count,
      memory: TrialMemory(targets: targets, base: base), recorded: recorded)
  }

  /// Searches until nothing more can be left out, or the time is over.
  mutating func run() async throws -> Result {
    // The last event alone, from the recorded moment before it: does it fail again at all?
    guard try await trials.fails(best, same: max(0, best.items.count - 1)) != nil else {
      throw Refusal(
        .failed,
        """
        When the recording is run again, the predicate does not hold at that entry. The code has \
        changed, or the reducer depends on more than its input: see verify.
        """)
    }
    var isMinimal = try await dropBlocks()
    if isMinimal, try await simplify() {
      // Simpler payloads may have made more events superfluous.
      isMinimal = try await dropSingles()
    }
    return Result(items: best.items, runs: trials.runs, isMinimal: isMinimal)
  }

  private var isOver: Bool { .now >= deadline }

  /// Whether it came to its end in time.
  private mutating func dropBlocks() async throws -> Bool {
    var size = (best.items.count - 1) / 2
    while size > 1 {
      // The event that fails stays until single ones are tried.
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

  /// Leaves events out, if it fails without them too.
  private mutating func drop(_ range: Range<Int>) async throws -> Bool {
    var candidate = best
    candidate.items.removeSubrange(range)
    return try await accept(candidate, same: range.lowerBound)
  }

  private mutating func accept(_ candidate: Candidate, same: Int) async throws -> Bool {
    guard let count = try await trials.fails(candidate, same: same) else { return false }
    best = candidate
    best.items.removeSubrange(count...)
    await tell()
    return true
  }

  /// Makes payloads simpler; whether any was.
  private mutating func simplify() async throws -> Bool {
    var hasChanged = false
    for index in best.items.indices.reversed() {
      var changed = true
      while changed, index < best.items.count {
        changed = false
        let item = best.items[index]
        // An undo says nothing but where it goes to.
        guard !trials.goesBack(item), let event = (item.simpler ?? item.entry.event)?.value
        else { break }
        for variant in SimplerEvents.variants(of: event) {
          guard !isOver else { return hasChanged }
          var candidate = best
          candidate.items[index].simpler = try variant.slice
          if try await accept(candidate, same: index) {
            (changed, hasChanged) = (true, true)
            break
          }
        }
      }
    }
    return hasChanged
  }

  private func tell() async {
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

extension Minimisation.Result {
  /// The script that leaves these events of a stretch of the recording, and nothing else.
  ///
  /// - Parameters:
  ///   - base: the entry whose moment they go on from.
  ///   - end: the entry at which the recording fails.
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
