internal import JSONCore
internal import Timelines
internal import Wire

/// Runs candidates and reports whether they still fail.
///
/// It keeps moments of the best candidate so far, so that a trial with a late change starts shortly
/// before the change.
struct Trials {
  private let host: any ReducerHosting
  private let make: String
  private let failure: TargetFailure
  /// The moment before the first event.
  private let start: Snapshot
  /// Moments after so many events of the best candidate, ascending.
  private var kept: [(count: Int, moment: Snapshot)] = []
  /// Reads a recorded moment, as long as nothing before it has changed.
  private let recorded: @Sendable (Entry) async throws -> Snapshot?
  /// The states of the best candidate that events go back to.
  private var memory: TrialMemory
  /// The number of events at the start that are as recorded.
  private var untouched: Int

  /// The number of trials.
  private(set) var runs: Int64 = 0

  init(
    host: any ReducerHosting, make: String, failure: TargetFailure, start: Snapshot, untouched: Int,
    memory: TrialMemory,
    recorded: @escaping @Sendable (Entry) async throws -> Snapshot?
  ) {
    self.host = host
    self.make = make
    self.failure = failure
    self.start = start
    self.untouched = untouched
    self.memory = memory
    self.recorded = recorded
  }

  /// The number of events between two kept moments.
  private static let stride = 256
  /// The maximum bytes in one message to a host, far below its limit.
  private static let requestBytes = 4 << 20

  /// Why the host ended the last run early; `nil` if it did not.
  private(set) var ended: EarlyEnd?

  /// Runs the whole recording from its start; returns the number of events up to the failure, or
  /// `nil` if today's reducer does not reach it.
  ///
  /// Afterward, recorded moments are used only for the events before the first one whose result
  /// differs from the recording: a trial that starts from another reducer's moment proves nothing.
  mutating func reproduces(_ recording: Candidate) async throws -> Int? {
    agreeing = 0
    let count = try await fails(recording, same: 0)
    untouched = agreeing ?? 0
    agreeing = nil
    return count
  }

  /// During the run of the whole recording: how many of its first events gave the recorded result.
  private var agreeing: Int?

  /// Counts an event whose result is the recorded one.
  private mutating func compare(
    _ recorded: Entry, _ computed: Entry, _ moment: Snapshot, at count: Int
  ) {
    guard agreeing == count - 1 else { return }
    // A keyframe may lack the patch, and a thinned or redacted entry has too little to compare: the
    // next trial then starts from a computed moment.
    if Agreement.changesAlike(recorded, computed) || Snapshot(keyframe: recorded) == moment {
      agreeing = count
    }
  }

  /// How many events of a candidate lead to the failure; `nil` if it does not fail.
  ///
  /// The first `same` events are those of the best candidate. A candidate that fails becomes the
  /// best.
  mutating func fails(_ candidate: Candidate, same: Int) async throws -> Int? {
    guard same < candidate.items.count else { return nil }
    try Task.checkCancellation()
    runs += 1
    ended = nil
    var (position, moment) = try await moment(of: candidate, upTo: same)
    var earlier = try await earlierStates(of: candidate, before: position)
    if earlier == nil {
      // An event goes back to a state that was not captured: a run from the start reaches it.
      (position, moment, earlier) = (0, start, [:])
    }
    var passed = Passed(memory: memory.emptied())
    while position < candidate.items.count {
      let slice = Self.batch(candidate.items[position...])
      var runner = Runner(
        make: make, next: Int64(slice.startIndex) + 1, base: try HostMoment(moment))
      runner.add(slice.lazy.map { Runner.Step(step: $0.step) })
      let remembered = try remembered(slice, earlier ?? [:], passed.memory)
      let rerun = try await host.run(runner, remembered: remembered)
      for entry in rerun.entries {
        let before = moment
        try Agreement.advance(&moment, by: entry)
        position += 1
        compare(candidate.items[position - 1].entry, entry, moment, at: position)
        if position % Self.stride == 0 { passed.moments.append((position, moment)) }
        passed.memory.record(candidate.items[position - 1], count: position, moment.state)
        // The events that both candidates share did not fail before, either.
        if position > same, failure.isFound(at: entry, before: before, after: moment) {
          accept(same: same, passed: passed)
          return position
        }
      }
      guard let ended = rerun.ended else { continue }
      self.ended = ended
      guard failure.isTrap, ended.why == .trap, position < candidate.items.count,
        candidate.items[position].entry.eventName == failure.eventName
      else { return nil }
      accept(same: same, passed: passed)
      return position + 1
    }
    return nil
  }

  /// These trials, with the number of runs of later ones.
  func counting(_ later: Trials) -> Trials {
    var trials = self
    trials.runs = later.runs
    return trials
  }

  /// The moments and states that a run reached.
  private struct Passed {
    var moments: [(count: Int, moment: Snapshot)] = []
    var memory: TrialMemory
  }

  /// Whether an event is an undo or redo that goes back to an earlier state.
  func goesBack(_ item: Candidate.Item) -> Bool {
    item.entry.event?.undone.map(memory.targets.contains) ?? false
  }

  private mutating func accept(same: Int, passed: Passed) {
    untouched = min(untouched, same)
    kept.removeAll { $0.count > same }
    kept += passed.moments.filter { $0.count > (kept.last?.count ?? 0) }
    memory.replace(after: same, by: passed.memory)
  }

  /// The nearest moment at or before so many events of the best candidate.
  private func moment(
    of candidate: Candidate, upTo same: Int
  ) async throws -> (count: Int, moment: Snapshot) {
    let near = kept.last { $0.count <= same }
    if same > 0, same <= untouched, same > near?.count ?? 0,
      let moment = try await recorded(candidate.items[same - 1].entry)
    {
      return (same, moment)
    }
    return near ?? (0, start)
  }

  /// The states before a position that events after it go back to, by the entries of the recording;
  /// `nil` if one of them is unknown.
  ///
  /// The events before the position are the same as in the best candidate.
  private func earlierStates(
    of candidate: Candidate, before position: Int
  ) async throws -> [Int64: (count: Int, state: JSON)]? {
    guard !memory.targets.isEmpty, position > 0 else { return [:] }
    let wanted = Set(candidate.items[position...].compactMap { $0.entry.event?.undone })
    var states: [Int64: (count: Int, state: JSON)] = [:]
    for (index, item) in candidate.items[..<position].enumerated()
    where wanted.contains(item.entry.seq) {
      if let known = memory.state(after: item.entry.seq) {
        states[item.entry.seq] = known
      } else if index < untouched, let moment = try await recorded(item.entry) {
        states[item.entry.seq] = (index + 1, moment.state)
      } else {
        return nil
      }
    }
    return states
  }

  /// The states that the events of a batch go back to.
  private func remembered(
    _ items: ArraySlice<Candidate.Item>, _ earlier: [Int64: (count: Int, state: JSON)],
    _ passed: TrialMemory
  ) throws -> [ToRecorder.RememberedState] {
    guard !memory.targets.isEmpty else { return [] }
    var states: [ToRecorder.RememberedState] = []
    for source in Set(items.compactMap { $0.entry.event?.undone }).sorted() {
      let found =
        source == memory.base ? (0, start.state) : passed.state(after: source) ?? earlier[source]
      guard let (count, state) = found, count <= items.startIndex else { continue }
      states.append(
        ToRecorder.RememberedState(was: source, seq: Int64(count), try state.slice))
    }
    return states
  }

  private static func batch(_ items: ArraySlice<Candidate.Item>) -> ArraySlice<Candidate.Item> {
    var bytes = 0
    let end = items.firstIndex { item in
      bytes += item.entry.line.range.count
      return bytes > requestBytes
    }
    return items[..<max(end ?? items.endIndex, items.startIndex + 1)]
  }
}
