internal import Exploring
internal import JSONCore
internal import Timelines
internal import Wire

/// What an exploration knows of its events while hosts send them without entries.
struct EncodedSearch: Sendable {
  var events: ExploredEvents
  private let name = TimelineID.random().text
  private var failures = 0

  init(_ events: ExploredEvents) { self.events = events }

  /// The name under which hosts know what they have answered; another one after a failure, because then
  /// answers were dropped.
  var answersName: String { "\(name)/\(failures)" }

  mutating func countFailure() { failures += 1 }
}

extension Explorer {
  /// Lets hosts send events without entries, if nothing else is needed: no edges of a chart, and no
  /// predicate that reads more than the moment after an event.
  mutating func beginEncoded() async throws {
    guard chart == nil, goal.readsOnlyMoments else { return }
    for host in hosts { guard await host.expands() else { return } }
    var events = try ExploredEvents(pool, in: &search)
    try events.addState(withIDs: pool.ids(in: start.state), in: &search)
    encoded = EncodedSearch(events)
  }

  /// Counts what was sent without entries; from now on, each event has one.
  mutating func endEncoded() {
    encoded?.events.add(to: &coverage)
    encoded = nil
  }

  /// Sends the events of some states without entries; returns whether there was time for all of them,
  /// and `nil` when they must be sent with entries.
  mutating func expandEncoded(_ tasks: [BreadthFirst.Task]) async throws -> Bool? {
    guard let encoded else { return nil }
    let origins = tasks.map {
      EncodedExpansion.Origin(
        task: $0, path: search.numbers(to: $0.node), sent: encoded.events.numbers(for: $0))
    }
    let (make, start, time, goal, pool) = (make, start, limits.time, goal, pool)
    let (name, events) = (encoded.answersName, encoded.events.slices)
    let results: [EncodedExpansion.Result]
    do {
      results = try await Self.share(origins, among: hosts) { host, origins in
        try await EncodedExpansion(
          host: host, make: make, time: time, goal: goal, pool: pool, search: name, events: events
        ).run(origins, from: start)
      }
    } catch let failure as EncodedExpansion.Failure {
      if failure.isForAll { endEncoded() } else { self.encoded?.countFailure() }
      return nil
    }
    for result in results where !isDone { try add(result) }
    if results.contains(where: { !$0.undecodable.isEmpty }) {
      self.encoded?.events.drop(dropped, in: search)
    }
    return results.allSatisfy(\.isWhole)
  }

  private mutating func add(_ result: EncodedExpansion.Result) throws {
    let node = result.origin.task.node
    depth = max(depth, search.depth(of: node) + 1)
    var changed = result.changed[...]
    for (place, number) in result.origin.sent.prefix(result.count).enumerated() {
      eventCount += 1
      guard !result.undecodable.contains(place) else {
        dropped.addUndecodable(search.event(number))
        continue
      }
      let fingerprint = changed.first?.place == place ? changed.removeFirst().fingerprint : nil
      let error = result.errors[place]
      encoded?.events.count(number, isEffective: fingerprint != nil, isFailure: error != nil)
      try addStep(number, from: node, to: fingerprint, result.states[place], error)
    }
  }

  private mutating func addStep(
    _ number: UInt32, from node: Int, to fingerprint: UInt64?, _ state: EncodedExpansion.NewState?,
    _ error: String?
  ) throws {
    if let state, let fingerprint {
      if let name = state.name { coverage.add(stateNamed: name) }
      if state.isFound { matches.insert(fingerprint) }
    }
    if let fingerprint, matches.contains(fingerprint) {
      return add(.predicate, number, from: node)
    }
    if let error, goal.countsErrors { add(.error(error), number, from: node) }
    guard let fingerprint,
      search.add(eventNumber: number, from: node, fingerprint: fingerprint) != nil
    else { return }
    try encoded?.events.addState(withIDs: state?.ids ?? [], in: &search)
  }

  private mutating func add(_ cause: Found.Cause, _ number: UInt32, from node: Int) {
    guard let name = encoded?.events.name(number) else { return }
    let found = Found(cause: cause, name: name)
    if isWanted(found) { add(found, search.path(to: node) + [search.event(number)]) }
  }
}
