internal import TimelineStore
internal import Timelines
internal import Wire

/// Compares corresponding entries of two stored timelines.
///
/// The side that is behind advances, so entries that only one side has shift nothing. Only
/// reordered entries wait for each other, and few of them with their moments.
struct TimelineComparison {
  private let store: Store
  private let a: TimelineID
  private let b: TimelineID
  private let alignment: Alignment
  private let report: ProgressReport
  private var comparison = Comparison()
  private var left: MomentWalk
  private var right: MomentWalk
  /// Entries that the other side has not reached, by their seqs there.
  private var waiting: (left: [Int64: Waiting], right: [Int64: Waiting]) = ([:], [:])
  private var held = 0
  private var steps: Int64 = 0

  private typealias Step = (entry: Entry, moment: Snapshot?)

  private struct Waiting {
    var seq: Int64
    var error: String?
    var isCaptured: Bool
    /// The moment after it; `nil` if it is to be read again when needed.
    var moment: Snapshot?
  }

  /// The maximum number of waiting moments in memory: with states of a kilobyte, a few megabytes.
  private static let heldLimit = 4_096
  /// The number of entries between two progress reports.
  private static let reportEvery: Int64 = 2_000

  init(
    _ a: TimelineID, _ b: TimelineID, in store: Store, report: @escaping ProgressReport
  ) async throws {
    (self.a, self.b, self.store, self.report) = (a, b, store, report)
    alignment = try await store.read { try Alignment(a, b, in: $0) }
    comparison.isByEvents = alignment.isByEvents
    left = try await MomentWalk(a, in: store)
    right = try await MomentWalk(b, in: store)
  }

  mutating func run() async throws -> ToInspector.Compare {
    var (ours, theirs) = (try await left.step(), try await right.step())
    while true {
      switch (ours, theirs) {
      case (nil, nil): return try comparison.answer(a, b)
      case (let one?, nil):
        try await finish(left: one)
        ours = try await left.step()
      case (nil, let other?):
        try await finish(right: other)
        theirs = try await right.step()
      case (let one?, let other?):
        switch try await meet(one, other) {
        case .both: (ours, theirs) = (try await left.step(), try await right.step())
        case .left: ours = try await left.step()
        case .right: theirs = try await right.step()
        }
      }
      steps += 1
      if steps % Self.reportEvery == 0 { await report(ours?.entry.seq, theirs?.entry.seq) }
    }
  }

  private enum Advance { case left, right, both }

  /// Compares the next two entries if they correspond; returns which side advances.
  private mutating func meet(_ one: Step, _ other: Step) async throws -> Advance {
    let (ours, theirs) = (one.entry.seq, other.entry.seq)
    guard let goal = alignment.right(ofLeft: ours), goal >= theirs else {
      try await finish(left: one)
      return .left
    }
    if goal == theirs {
      add(one, other)
      return .both
    }
    guard let source = alignment.left(ofRight: theirs), source > ours else {
      try await finish(right: other)
      return .right
    }
    // They crossed: the one whose partner is farther away waits.
    if goal - theirs > source - ours {
      waiting.left[goal] = wait(one)
      return .left
    }
    waiting.right[source] = wait(other)
    return .right
  }

  private mutating func wait(_ step: Step) -> Waiting {
    var waiting = Waiting(
      seq: step.entry.seq, error: step.entry.error, isCaptured: step.moment != nil)
    if step.moment != nil, held < Self.heldLimit {
      waiting.moment = step.moment
      held += 1
    }
    return waiting
  }

  private mutating func add(_ one: Step, _ other: Step) {
    // If either was not captured, there is nothing to compare.
    guard let ours = one.moment, let theirs = other.moment else { return comparison.addUnknown() }
    comparison.add(
      Comparison.Side(seq: one.entry.seq, moment: ours, error: one.entry.error),
      Comparison.Side(seq: other.entry.seq, moment: theirs, error: other.entry.error))
  }

  /// Compares the left entry with its partner that waits, or counts it as alone.
  private mutating func finish(left step: Step) async throws {
    guard let other = waiting.right.removeValue(forKey: step.entry.seq) else {
      return comparison.addAlone()
    }
    guard let ours = step.moment, let theirs = try await side(other, of: b) else { return }
    comparison.add(
      Comparison.Side(seq: step.entry.seq, moment: ours, error: step.entry.error), theirs)
  }

  private mutating func finish(right step: Step) async throws {
    guard let other = waiting.left.removeValue(forKey: step.entry.seq) else {
      return comparison.addAlone()
    }
    guard let theirs = step.moment, let ours = try await side(other, of: a) else { return }
    comparison.add(
      ours, Comparison.Side(seq: step.entry.seq, moment: theirs, error: step.entry.error))
  }

  private mutating func side(
    _ waiting: Waiting, of timeline: TimelineID
  ) async throws -> Comparison.Side? {
    guard waiting.isCaptured else { return nil }
    var moment = waiting.moment
    if moment != nil {
      held -= 1
    } else {
      moment = try await store.read { reader in
        let found = try reader.moment(of: reader.lineage(of: timeline), at: waiting.seq)
        guard case .known(let snapshot)? = found else { return nil }
        return snapshot
      }
    }
    return moment.map { Comparison.Side(seq: waiting.seq, moment: $0, error: waiting.error) }
  }

  private func report(_ ours: Int64?, _ theirs: Int64?) async {
    let done = (ours ?? left.last + 1) - left.first + (theirs ?? right.last + 1) - right.first
    let all = left.last - left.first + right.last - right.first + 2
    await report(
      .progress(
        ToInspector.Progress {
          $0.done = max(0, done)
          $0.of = max(0, all)
          $0.message = "Comparing"
        }))
  }
}
