internal import JSONCore
internal import Predicates
internal import TimelineStore
internal import Timelines
internal import Wire

/// Whether the failure of a minimized branch still happens.
struct FailureVerdict: Sendable {
  enum Outcome: Sendable, Hashable {
    /// The failure still happens, or the run ends early, at this entry.
    case fails(at: Int64)
    /// The run ends without the failure.
    case passes
    case inconclusive
  }

  var failure: Predicate
  var outcome: Outcome
  /// The number of entries that were run.
  var entries: Int64
  /// The reason, if the outcome alone does not explain it.
  var message: String?
  /// Why the run ended early, if it did.
  var why: BranchEnd?

  var answer: ToInspector.Verify {
    ToInspector.Verify {
      switch outcome {
      case .passes: $0.outcome = .passes
      case .inconclusive: $0.outcome = .inconclusive
      case .fails(let seq):
        $0.outcome = .fails
        $0.seq = seq
      }
      $0.entries = entries
      $0.message = message
      $0.failure = failure
      $0.why = why
    }
  }
}

/// Runs a minimized branch again and looks for its failure.
///
/// Its recorded values are those of a bug, so they are not compared: the events are run from the
/// first known state on, and the failure must not hold after any of them.
struct FailureCheck {
  private let recording: StoredRecording
  private let host: any ReducerHosting
  private let failure: Predicate
  private let stretch: ClosedRange<Int64>
  private var walk: MomentWalk
  /// The computed moment; `nil` if the next known one is given.
  private var computed: Snapshot?
  /// The paths of stand-ins in it.
  private var hidden: [Pointer] = []
  /// Computed states of a form that its undo may go back to.
  private var states: [Int64: JSON] = [:]
  private var count: Int64 = 0
  private var wasDecided = false
  private var isRedacted = false

  /// As many as a host remembers for the undo of a form.
  private static let stateLimit: Int64 = 10_000

  /// - Parameter stretch: the entries after which to look for the failure. The run always starts at
  ///   the start of the recording.
  init(
    _ failure: Predicate, in recording: StoredRecording, _ stretch: ClosedRange<Int64>,
    on host: any ReducerHosting
  ) async throws {
    (self.failure, self.recording, self.stretch, self.host) = (failure, recording, stretch, host)
    walk = try await MomentWalk(recording.id, in: recording.store)
  }

  mutating func run() async throws -> FailureVerdict {
    var next = recording.seqs?.lowerBound ?? 0
    while next <= stretch.upperBound {
      try Task.checkCancellation()
      let entries = try await recording.entries(in: next...stretch.upperBound)
      guard let last = entries.last else { break }
      if let verdict = try await run(entries[...]) { return verdict }
      next = last.seq + 1
    }
    guard wasDecided else {
      return verdict(
        .inconclusive,
        "The failure cannot be checked at any entry: the values it reads were redacted or not captured."
      )
    }
    return verdict(.passes)
  }

  private mutating func run(_ entries: ArraySlice<Entry>) async throws -> FailureVerdict? {
    var rest = entries
    while let entry = rest.first {
      guard !entry.isBroken, !entry.isFixedPoint, let before = computed else {
        if try await applyRecorded() { return verdict(.fails(at: entry.seq)) }
        rest.removeFirst()
        continue
      }
      let end = rest.firstIndex { $0.isBroken || $0.isFixedPoint } ?? rest.endIndex
      let remembered = try await recording.remembered(for: rest[..<end]) { states[$0] }
      guard remembered.count > 0 else {
        // It goes back to an unknown state.
        if try await applyRecorded() { return verdict(.fails(at: entry.seq)) }
        rest.removeFirst()
        continue
      }
      let batch = rest.prefix(remembered.count)
      let runner = try Runner(again: batch, make: recording.make, from: before)
      let rerun = try await host.run(runner, remembered: remembered.states)
      for entry in rerun.entries {
        if try await add(entry) { return verdict(.fails(at: entry.seq)) }
      }
      rest.removeFirst(rerun.entries.count)
      if let ended = rerun.ended { return verdict(ended) }
    }
    return nil
  }

  /// Applies the next entry as it was recorded; returns whether the failure holds after it.
  private mutating func applyRecorded() async throws -> Bool {
    states = [:]
    guard let (entry, moment) = try await walk.step() else { return false }
    let before = entry.isBroken ? nil : computed
    computed = moment
    return holds(entry, entry, before: before, after: moment)
  }

  /// Applies the next entry as it was computed; returns whether the failure holds after it.
  private mutating func add(_ entry: Entry) async throws -> Bool {
    guard let before = computed, let recorded = try await walk.step()?.entry else { return false }
    var moment = before
    try Agreement.advance(&moment, by: entry)
    computed = moment
    count += 1
    if recording.isForm {
      states[entry.seq] = moment.state
      states[entry.seq - Self.stateLimit] = nil
    }
    return holds(entry, recorded, before: before, after: moment)
  }

  private mutating func holds(
    _ entry: Entry, _ recorded: Entry, before: Snapshot?, after: Snapshot?
  ) -> Bool {
    let hiddenBefore = hidden
    hidden = (entry.redacted + recorded.redacted).map(\.pointer)
    isRedacted = isRedacted || !hidden.isEmpty
    guard stretch.contains(entry.seq) else { return false }
    let subject = EntrySubject(
      entry, before: before.map(Moment.known), after: after.map(Moment.known),
      hiddenBefore: hiddenBefore)
    let answer = failure.evaluate(RunEntry(subject: subject, hiddenAfter: hidden))
    wasDecided = wasDecided || answer != .unknown
    return answer == .yes
  }

  private func verdict(
    _ outcome: FailureVerdict.Outcome, _ message: String? = nil, _ why: BranchEnd? = nil
  ) -> FailureVerdict {
    FailureVerdict(
      failure: failure, outcome: outcome, entries: count, message: message, why: why)
  }

  private func verdict(_ ended: EarlyEnd) -> FailureVerdict {
    let endsOfCode = [.trap, .undecodable].contains(ended.why) && !isRedacted
    return verdict(endsOfCode ? .fails(at: ended.seq) : .inconclusive, ended.sentence, ended.why)
  }
}

/// A computed entry, whose values may derive from stand-ins in the recorded one.
private struct RunEntry: PredicateSubject {
  let subject: EntrySubject
  let hiddenAfter: [Pointer]

  var entry: JSONSlice { subject.entry }
  func values(_ side: EntrySide) -> SideValues { subject.values(side) }
  func hidden(_ side: EntrySide) -> [Pointer] {
    side == .after ? hiddenAfter : subject.hidden(side)
  }
}
