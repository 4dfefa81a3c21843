internal import Exploring
internal import JSONCore
internal import Timelines
internal import Wire

/// Sends all events of a pool to some states, on one host.
struct StateExpansion: Sendable {
  let sender: EventSender
  let goal: ExplorationGoal
  let pool: EventPool
  let chart: ChartEdges?
  /// The events that are no longer sent.
  let dropped: DroppedEvents

  /// A state, and how it is reached.
  struct Origin: Sendable {
    var task: BreadthFirst.Task
    /// Its value; `nil` if it has to be computed.
    var moment: Snapshot?
    /// The events that lead to it.
    var path: [JSON]
  }

  /// The results of one state's events.
  struct Result: Sendable {
    var task: BreadthFirst.Task
    /// Events that led to another state, or to something that is looked for.
    var transitions: [Transition] = []
    /// Events at which the host ended.
    var ended: [(event: JSON, end: EarlyEnd)] = []
    var coverage: Coverage
    var count = 0
    /// Whether all events were sent before the time ran out.
    var isWhole = true
  }

  /// Sends the events.
  ///
  /// - Parameter start: the moment that all paths begin at.
  func run(_ origins: [Origin], start: Snapshot) async throws -> [Result] {
    var moments: [Snapshot] = []
    var messages: [EventSender.Message] = []
    for (index, origin) in origins.enumerated() {
      if sender.time.isOver { break }
      let moment: Snapshot? =
        if let known = origin.moment { known } else {
          try await sender.time.limit { try await sender.moment(after: origin.path, from: start) }
        }
      guard let moment else { break }
      moments.append(moment)
      messages += events(of: origin.task, in: moment.state).map {
        EventSender.Message(event: $0.event, moment: index)
      }
    }
    let replies = try await sender.send(messages, to: moments)
    var results = origins.map { Result(task: $0.task, coverage: Coverage(of: chart)) }
    let fingerprints = moments.map { TextFingerprint.of($0.state.encoded()) }
    // Of the rest, nothing was sent.
    let firstCut =
      replies.count < messages.count ? messages[replies.count].moment : moments.count
    for index in results.indices.dropFirst(firstCut) { results[index].isWhole = false }
    for (message, reply) in zip(messages, replies) {
      let index = message.moment
      try add(reply, to: message, from: moments[index], fingerprints[index], &results[index])
    }
    return results
  }

  private func events(of task: BreadthFirst.Task, in state: JSON) -> [PoolEvent] {
    let events =
      task.isPlausible
      ? pool.events.prefix(pool.plausibleCount) + pool.variants(in: state)
      : pool.events.dropFirst(pool.plausibleCount)
    return events.filter { !dropped.contains($0) }
  }

  private func add(
    _ reply: EventSender.Reply, to message: EventSender.Message, from before: Snapshot,
    _ fingerprint: UInt64, _ result: inout Result
  ) throws {
    let name = PoolEvent(message.event).name
    result.count += 1
    switch reply {
    case .ended(let end):
      result.ended.append((message.event, end))
      guard end.why != .undecodable else { return }
      result.coverage.add(
        name, from: before.state, to: before.state, isEffective: false, isFailure: true)
    case .entry(let entry):
      var after = before
      try Agreement.advance(&after, by: entry)
      let new = TextFingerprint.of(after.state.encoded())
      let isSame = new == fingerprint
      let found = goal.found(at: entry, from: before, to: after, name: name)
      result.coverage.add(
        name, from: before.state, to: after.state,
        isEffective: !isSame || after.outputs != before.outputs, isFailure: entry.error != nil)
      guard !isSame || found != nil else { return }
      result.transitions.append(
        Transition(event: message.event, fingerprint: new, moment: after, found: found))
    }
  }
}

/// The events that an exploration stopped sending.
struct DroppedEvents: Sendable {
  /// Those that the host cannot decode.
  private(set) var undecodable: Set<JSON> = []
  /// How often the events of a name ended the host.
  private var ends: [String: Int] = [:]

  /// After so many traps, an event is no longer sent: each costs the start of a process.
  private static let limit = 10

  /// The names of the events that trapped too often.
  var names: [String] { ends.filter { $0.value >= Self.limit }.map(\.key).sorted() }

  func contains(_ event: PoolEvent) -> Bool {
    undecodable.contains(event.event) || (ends[event.name] ?? 0) >= Self.limit
  }

  mutating func addUndecodable(_ event: JSON) { undecodable.insert(event) }

  mutating func add(_ event: JSON, _ end: EarlyEnd) {
    switch end.why {
    case .undecodable: addUndecodable(event)
    case .trap, .limit: ends[PoolEvent(event).name, default: 0] += 1
    case .gap, .canceled, .failed: return
    }
  }
}
