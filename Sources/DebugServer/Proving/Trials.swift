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
  /// So many events at the beginning are as they were recorded.
  private var untouched: Int

  /// How often the reducer was run over a candidate.
  private(set) var runs: Int64 = 0

  init(
    host: any ReducerHosting, make: String, needle: Needle, start: Snapshot, untouched: Int,
    recorded: @escaping @Sendable (Entry) async throws -> Snapshot?
  ) {
    self.host = host
    self.make = make
    self.needle = needle
    self.start = start
    self.untouched = untouched
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
    var passed: [(count: Int, moment: Snapshot)] = []
    while position < candidate.items.count {
      let slice = Self.batch(candidate.items[position...])
      let rerun = try await host.rerun(try request(slice, from: moment))
      for entry in rerun.entries {
        let before = moment
        try Agreement.advance(&moment, by: entry)
        position += 1
        if position % Self.stride == 0 { passed.append((position, moment)) }
        // What both candidates share did not fail before either.
        if position > same, needle.isFound(at: entry, before: before, after: moment) {
          accept(same: same, passed: passed)
          return position
        }
      }
      guard let ended = rerun.ended else {
        guard rerun.entries.count == slice.count else {
          throw Refusal(.failed, "The host answered fewer entries than it was given events.")
        }
        continue
      }
      guard needle.isTrap, ended.why == .trap, position < candidate.items.count,
        candidate.items[position].entry.eventName == needle.eventName
      else { return nil }
      accept(same: same, passed: passed)
      return position + 1
    }
    return nil
  }

  private mutating func accept(same: Int, passed: [(count: Int, moment: Snapshot)]) {
    untouched = min(untouched, same)
    kept.removeAll { $0.count > same }
    kept += passed.filter { $0.count > (kept.last?.count ?? 0) }
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

  private func request(
    _ items: ArraySlice<Candidate.Item>, from moment: Snapshot
  ) throws -> ToRecorder.Reduce {
    var request = ToRecorder.Reduce()
    request.make = make
    request.state = try moment.state.slice
    request.outputState = try moment.outputs.slice
    request.seq = Int64(items.startIndex) + 1
    request.steps = items.map(\.step)
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
