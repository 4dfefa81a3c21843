internal import JSONCore
internal import Timelines

/// Runs candidates and tells whether they still fail.
///
/// It keeps moments of the best candidate so far: a trial that changes something far behind is run
/// from close before the change.
struct Trials {
  private let host: any ReducerHosting
  private let make: String
  private let needle: Needle
  /// The moment before the first event.
  private let start: Snapshot
  /// Moments after so many events of the best candidate, rising.
  private var kept: [(count: Int, moment: Snapshot)] = []
  /// Reads a recorded moment while nothing before it was changed.
  private let recorded: @Sendable (Entry) async throws -> Snapshot?
  /// The states of the best candidate that events go back to.
  private var memory: TrialMemory
  /// So many events at the beginning are as they were recorded.
  private var untouched: Int

  /// How often the reducer was run over a candidate.
  private(set) var runs: Int64 = 0

  init(
    host: any ReducerHosting, make: String, needle: Needle, start: Snapshot, untouched: Int,
    memory: TrialMemory,
    recorded: @escaping @Sendable (Entry) async throws -> Snapshot?
  ) {
    self.host = host
    self.make = make
    self.needle = needle
    self.start = start
    self.untouched = untouched
    self.memory = memory
    self.recorded = recorded
  }

  /// Every so many events a moment is kept.
  private static let stride = 256
  /// What one message to a host may carry, far below what it may have.
  private static let requestBytes = 4 << 20

  /// How many events of a candidate lead to the failure; `nil` when it does not fail.
  ///
  /// The first `same` events are those of the best candidate. One that fails becomes the best.
  mutating func fails(_ candidate: Candidate, same: Int) async throws -> Int? {
    guard same < candidate.items.count else { return nil }
    try Task.checkCancellation()
    runs += 1
    var (position, moment) = try await moment(of: candidate, upTo: same)
    var earlier = try await earlierStates(of: candidate, before: position)
    if earlier == nil {
      // An event goes back to a state that was not captured: a run from the start comes by it.
      (position, moment, earlier) = (0, start, [:])
    }
    var passed = Passed(memory: memory.emptied())
    while position < candidate.items.count {
      let slice = Self.batch(candidate.items[position...])
      let request = try request(
        slice, from: moment, earlier: earlier ?? [:], passed.memory)
      let rerun = try await host.rerun(request)
      for entry in rerun.entries {
        let before = moment
        try Agreement.advance(&moment, by: entry)
        position += 1
        if position % Self.stride == 0 { passed.moments.append((position, moment)) }
        passed.memory.note(candidate.items[position - 1], count: position, moment.state)
        // What both candidates share did not fail before either.
        if position > same, needle.isFound(at: entry, before: before, after: moment) {
          accept(same: same, passed: passed)
          return position
        }
      }
      guard let ended = rerun.ended else { continue }
      guard needle.isTrap, ended.why == .trap, position < candidate.items.count,
        candidate.items[position].entry.eventName == needle.eventName
      else { return nil }
      accept(same: same, passed: passed)
      return position + 1
    }
    return nil
  }

  /// What a run came by.
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

  /// The states before a place to which events from there on go back, by the entries of the
  /// recording; `nil` when one of them is not known.
  ///
  /// What is before the place is the same as in the best candidate.
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

  private func request(
    _ items: ArraySlice<Candidate.Item>, from moment: Snapshot,
    earlier: [Int64: (count: Int, state: JSON)], _ passed: TrialMemory
  ) throws -> ToRecorder.Reduce {
    var request = ToRecorder.Reduce()
    request.make = make
    request.state = try moment.state.slice
    request.outputState = try moment.outputs.slice
    request.seq = Int64(items.startIndex) + 1
    request.steps = items.map(\.step)
    let states = try remembered(items, earlier, passed)
    request.remembered = states.isEmpty ? nil : states
    return request
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
