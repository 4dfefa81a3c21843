internal import Exploring
internal import JSONCore
internal import Timelines
internal import Wire

/// What was found and covered on a random walk.
struct WalkResult: Sendable {
  /// The events.
  let walk: [JSON]
  /// The number of events that were handled.
  let count: Int
  /// What ended the host, if anything.
  let end: EarlyEnd?
  private(set) var found: [(index: Int, found: Found)] = []
  private(set) var coverage: Coverage

  init(
    of rerun: Rerun, _ walk: [JSON], from start: Snapshot, _ goal: ExplorationGoal,
    _ chart: ChartEdges?
  ) throws {
    self.walk = walk
    count = min(rerun.entries.count, walk.count)
    end = rerun.ended
    coverage = Coverage(of: chart)
    var moment = start
    var isOver = false
    for (index, entry) in rerun.entries.prefix(count).enumerated() {
      let before = moment
      try Agreement.advance(&moment, by: entry)
      let name = PoolEvent(walk[index]).name
      coverage.add(
        name, from: before.state, to: moment.state,
        isEffective: moment.state != before.state || moment.outputs != before.outputs,
        isFailure: entry.error != nil)
      guard !isOver, let found = goal.found(at: entry, from: before, to: moment, name: name)
      else { continue }
      self.found.append((index, found))
      // What follows from a state that was looked for would be found again.
      isOver = found.cause == .predicate
    }
    addEnd(at: moment)
  }

  private mutating func addEnd(at moment: Snapshot) {
    guard let end, end.why != .undecodable, count < walk.count else { return }
    coverage.add(
      PoolEvent(walk[count]).name, from: moment.state, to: moment.state, isEffective: false,
      isFailure: true)
  }
}
