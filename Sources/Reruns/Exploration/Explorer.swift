internal import Exploring
internal import JSONCore
internal import Timelines
internal import Wire

/// Explores what events lead to from a moment, on several hosts: breadth-first, then at random.
///
/// The results do not depend on the number of hosts, except for where the time ends.
struct Explorer {
  struct Limits: Sendable {
    var depth = 64
    var states = 200_000
    var time = ExplorationTime()
    var seed: UInt64 = 0
  }

  /// Something that was found, and the events that lead to it.
  struct Finding: Sendable {
    var found: Found
    var events: [JSON]
  }

  enum End: Sendable {
    /// As many findings as were asked for.
    case found
    /// Every state that the events lead to was visited.
    case everything
    case depth
    case states
    case time
  }

  let make: String
  let start: Snapshot
  let pool: EventPool
  let goal: ExplorationGoal
  let chart: ChartEdges?
  let limits: Limits
  let hosts: [any ReducerHosting]
  let report: ProgressReport

  private(set) var findings: [Finding] = []
  var coverage: Coverage
  var dropped = DroppedEvents()
  var eventCount = 0
  var depth = 0
  private(set) var walkCount = 0
  var search: BreadthFirst
  /// How events are sent without entries; `nil` when they must have them.
  var encoded: EncodedSearch?
  private(set) var states: ExploredStates
  /// The kinds of findings: each is reported once.
  private var seen: Set<Found> = []
  /// The fingerprints of states in which the predicate holds.
  var matches: Set<UInt64> = []
  private var batches = 0
  /// The number of batches since an event trapped that is still sent.
  private var calmBatches = 0

  /// The number of states whose events are sent at a time: few after a trap and at the beginning,
  /// because an event is not dropped before the end of a batch.
  private static let (smallBatch, batchCount) = (8, 64)
  /// The same where no entries are made, and a request costs more than a state: more as the search grows,
  /// because what two hosts reach in the same batch is encoded and answered by both.
  private static let encodedBatchCounts = 256...4_096
  /// The number of batches without a trap after which they become larger.
  private static let calmLimit = 16
  /// The number of walks at a time, and in all.
  private static let (walkBatch, maximumWalks) = (16, 1_024)
  /// The maximum number of findings other than those of the predicate.
  private static let failureLimit = 16
  private static let reportInterval = 8

  init(
    make: String, start: Snapshot, pool: EventPool, goal: ExplorationGoal, chart: ChartEdges?,
    limits: Limits, on hosts: [any ReducerHosting], stateBytes: Int = 64 << 20,
    report: @escaping ProgressReport
  ) {
    self.make = make
    self.start = start
    self.pool = pool
    self.goal = goal
    self.chart = chart
    self.limits = limits
    self.hosts = hosts
    self.report = report
    coverage = Coverage(of: chart)
    coverage.add(state: start.state)
    search = BreadthFirst(
      start: TextFingerprint.of(start.state.encoded()), maximumDepth: limits.depth,
      maximumStates: limits.states)
    states = ExploredStates(limit: stateBytes)
  }

  /// The number of states that were reached.
  var stateCount: Int { search.count }

  /// Explores until something ends it.
  mutating func run() async throws -> End {
    try await beginEncoded()
    let end = try await searchAll()
    endEncoded()
    return end
  }

  private mutating func searchAll() async throws -> End {
    while true {
      if isDone { return .found }
      let isCalm = calmBatches >= Self.calmLimit
      let tasks = search.dequeue(isCalm ? batchLimit : Self.smallBatch)
      guard !tasks.isEmpty else { break }
      guard !limits.time.isOver else { return .time }
      guard try await expand(tasks) || isDone else { return .time }
      batches += 1
      if batches % Self.reportInterval == 0 { await reportProgress() }
    }
    switch search.end {
    case .depth: return try await walk() ?? .depth
    case .states: return try await walk() ?? .states
    case .everything, nil: return .everything
    }
  }

  /// The maximum number of states whose events are sent at a time. It depends on the states alone, so that
  /// results do not depend on the machine.
  private var batchLimit: Int {
    guard encoded != nil else { return Self.batchCount }
    let (least, most) = (Self.encodedBatchCounts.lowerBound, Self.encodedBatchCounts.upperBound)
    return min(max(least, stateCount / 2), most)
  }

  var isDone: Bool {
    goal.predicate != nil
      && findings.count { $0.found.cause == .predicate } >= goal.wanted
  }

  // MARK: Breadth-first

  /// Sends the events of some states; returns whether there was time for all of them.
  private mutating func expand(_ tasks: [BreadthFirst.Task]) async throws -> Bool {
    if let isWhole = try await expandEncoded(tasks) {
      calmBatches += 1
      return isWhole
    }
    // If one of the events trapped, it is dropped before it has trapped in many states.
    let size = encoded == nil ? Self.batchCount : Self.smallBatch
    for start in stride(from: 0, to: tasks.count, by: size) where !isDone {
      guard try await expandWithEntries(Array(tasks[start...].prefix(size))) else { return false }
    }
    return true
  }

  private mutating func expandWithEntries(_ tasks: [BreadthFirst.Task]) async throws -> Bool {
    var origins: [StateExpansion.Origin] = []
    for task in tasks {
      let moment = task.node == 0 ? self.start : states.moment(for: task)
      origins.append(
        StateExpansion.Origin(
          task: task, moment: moment, path: moment == nil ? search.path(to: task.node) : []))
    }
    let (goal, pool, chart, dropped) = (goal, pool, chart, dropped)
    let (make, start, time) = (make, start, limits.time)
    let results = try await Self.share(origins, among: hosts) { host, origins in
      try await StateExpansion(
        sender: EventSender(host: host, make: make, time: time), goal: goal, pool: pool,
        chart: chart,
        dropped: dropped
      ).run(origins, start: start)
    }
    for result in results where !isDone { try add(result) }
    let hasTrapped = results.contains { result in
      result.ended.contains { self.dropped.contains(PoolEvent($0.event)) == false }
    }
    calmBatches = hasTrapped ? 0 : calmBatches + 1
    encoded?.events.drop(self.dropped, in: search)
    return results.allSatisfy(\.isWhole)
  }

  /// Performs equal parts of work on each host; the results are in the order of the work.
  static func share<Work: Sendable, Result: Sendable>(
    _ work: [Work], among hosts: [any ReducerHosting],
    _ body: @escaping @Sendable (any ReducerHosting, [Work]) async throws -> [Result]
  ) async throws -> [Result] {
    let size = (work.count + hosts.count - 1) / max(1, hosts.count)
    return try await withThrowingTaskGroup(of: (Int, [Result]).self) { group in
      for (index, host) in hosts.enumerated() {
        let part = Array(work.dropFirst(index * size).prefix(size))
        guard !part.isEmpty else { continue }
        group.addTask { (index, try await body(host, part)) }
      }
      var parts = [[Result]](repeating: [], count: hosts.count)
      for try await (index, results) in group { parts[index] = results }
      return parts.flatMap(\.self)
    }
  }

  private mutating func add(_ result: StateExpansion.Result) throws {
    let node = result.task.node
    coverage.add(result.coverage)
    eventCount += result.count
    depth = max(depth, search.depth(of: node) + 1)
    for (event, end) in result.ended { add(end, of: event, after: search.path(to: node)) }
    for transition in result.transitions {
      if let found = transition.found {
        if isWanted(found) { add(found, search.path(to: node) + [transition.event]) }
        // What follows from a state that was looked for would be found again after every event.
        if found.cause == .predicate {
          matches.insert(transition.fingerprint)
          continue
        }
      }
      let event = PoolEvent(transition.event)
      _ = try encoded?.events.add(event, in: &search)
      if let new = search.add(transition.event, from: node, fingerprint: transition.fingerprint) {
        if encoded == nil, search.depth(of: new) < search.maximumDepth {
          // The events of a state at the maximum depth are not sent.
          states.keep(transition.moment, of: new)
        }
        let ids = encoded == nil ? [] : pool.ids(in: transition.moment.state)
        try encoded?.events.addState(withIDs: ids, in: &search)
      }
    }
  }

  private mutating func add(_ end: EarlyEnd, of event: JSON, after path: [JSON]) {
    dropped.add(event, end)
    let name = PoolEvent(event).name
    let found: Found
    switch end.why {
    case .trap: found = Found(cause: .trap(end.message), name: name)
    case .limit: found = Found(cause: .limit(end.message), name: name)
    case .undecodable, .gap, .canceled, .failed: return
    }
    if isWanted(found) { add(found, path + [event]) }
  }

  /// Whether a finding is new, and there is room for it.
  func isWanted(_ found: Found) -> Bool {
    guard !seen.contains(found.kind) else { return false }
    if case .predicate = found.cause { return !isDone }
    return findings.count { $0.found.cause != .predicate } < Self.failureLimit
  }

  mutating func add(_ found: Found, _ events: [JSON]) {
    seen.insert(found.kind)
    findings.append(Finding(found: found, events: events))
  }

  // MARK: At random

  /// Walks at random; `nil` when all walks were made.
  private mutating func walk() async throws -> End? {
    let length = min(256, max(32, limits.depth * 4))
    var walks = RandomWalks(length: length, seed: limits.seed)
    // Few states are a wish for a short search.
    let maximum = min(Self.maximumWalks, max(Self.walkBatch, limits.states / length))
    while walkCount < maximum {
      guard !limits.time.isOver else { return .time }
      let events = pool.events.filter { !dropped.contains($0) }.map(\.event)
      guard !events.isEmpty else { return nil }
      let batch = (0..<Self.walkBatch).map { _ in walks.next(over: events) }
      try await run(batch)
      if isDone { return .found }
      await reportProgress()
    }
    return nil
  }

  private mutating func run(_ walks: [[JSON]]) async throws {
    let (goal, make, start, chart, time) = (goal, make, start, chart, limits.time)
    let results = try await Self.share(walks, among: hosts) { host, walks in
      let sender = EventSender(host: host, make: make, time: time)
      var results: [WalkResult] = []
      for walk in walks where !time.isOver {
        guard let rerun = try await time.limit({ try await sender.run(walk, from: start) }) else {
          break
        }
        results.append(try WalkResult(of: rerun, walk, from: start, goal, chart))
      }
      return results
    }
    walkCount += results.count
    for result in results where !isDone {
      let walk = result.walk
      eventCount += result.count
      coverage.add(result.coverage)
      for (index, found) in result.found where isWanted(found) {
        add(found, Array(walk[...index]))
      }
      if let end = result.end, result.count < walk.count {
        add(end, of: walk[result.count], after: Array(walk[..<result.count]))
      }
    }
  }

  private func reportProgress() async {
    let (states, depth, found, walks) = (stateCount, depth, findings.count, walkCount)
    await report(
      .progress(
        ToInspector.Progress {
          $0.done = Int64(states)
          $0.of = Int64(limits.states)
          let way = walks > 0 ? "\(walks) random walks" : "\(depth) events deep"
          $0.message = "\(states) states, \(way), \(found) found"
        }))
  }
}
