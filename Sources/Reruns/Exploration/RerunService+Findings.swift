internal import Exploring
internal import JSONCore
internal import Predicates
internal import TimelineStore
internal import Timelines
internal import Wire

// Minimizing findings and making branches of them.
extension RerunService {
  /// How long all findings together are minimized: a breadth-first search leaves little to leave out.
  static let minimizeTime = Duration.seconds(20)

  /// Minimizes a finding, and makes a branch of it. A failure costs only this branch.
  func keep(
    _ finding: Explorer.Finding, of recording: StoredRecording, after from: Int64,
    from start: Snapshot, _ goal: ExplorationGoal, _ host: any ReducerHosting, _ time: Duration
  ) async throws -> ToInspector.ExploreFinding {
    var answer = ToInspector.ExploreFinding {
      ($0.cause, $0.message) = finding.found.words
    }
    answer.events = try finding.events.map { try $0.slice }
    do {
      let aim = try await aim(goal, of: finding, recording.make, from: start, host)
      answer.broken = aim.conditions.first
      if let predicate = finding.found.predicate(aim.predicate) {
        let fewest = try await minimize(
          finding, to: predicate, of: recording, from: start, host, time)
        answer.events = fewest.items.compactMap { $0.simpler ?? $0.entry.event }
        answer.minimal = fewest.isMinimal
      }
      answer.timeline = try await branch(
        finding, answer.events, of: recording, after: from, aim)
    } catch is Minimization.NotReproduced {
      return answer
    } catch {
      if error is CancellationError { throw error }
      try Task.checkCancellation()
      answer.problem = Refusal(of: error, about: store.folder).reply.message
    }
    return answer
  }

  /// The goal that a finding meets: of several conditions, the one that it breaks is the only one.
  private func aim(
    _ goal: ExplorationGoal, of finding: Explorer.Finding, _ make: String, from start: Snapshot,
    _ host: any ReducerHosting
  ) async throws -> ExplorationGoal {
    var one = goal
    one.conditions = []
    guard finding.found.cause == .predicate, !goal.conditions.isEmpty else { return one }
    let entries = try await EventSender(host: host, make: make).run(finding.events, from: start)
      .entries
    var (before, after) = (start, start)
    for entry in entries {
      before = after
      try Agreement.advance(&after, by: entry)
    }
    guard let last = entries.last,
      let broken = goal.broken(at: last, from: before, to: after)
    else { return one }
    one.conditions = [broken]
    one.predicate = Predicate(.not(broken.expression))
    return one
  }

  private func branch(
    _ finding: Explorer.Finding, _ events: [JSONSlice], of recording: StoredRecording,
    after from: Int64, _ goal: ExplorationGoal
  ) async throws -> TimelineID {
    let script = EditScript(events.map { .append(event: $0) })
    let edits = try JSONSlice(validating: script.text)
    return try await fork(
      FromInspector.Fork {
        $0.timeline = recording.id
        $0.through = from
        $0.edits = edits
        $0.name = Self.name(of: finding, count: events.count, goal.predicate)
        $0.failure = finding.found.isEntry ? finding.found.predicate(goal.predicate) : nil
      }
    ).timeline
  }

  private func minimize(
    _ finding: Explorer.Finding, to predicate: Predicate, of recording: StoredRecording,
    from start: Snapshot, _ host: any ReducerHosting, _ time: Duration
  ) async throws -> Minimization.Result {
    let entries = try await entries(of: finding, of: recording, from: start, host)
    guard let last = entries.last else { throw Minimization.NotReproduced() }
    var search = Minimization(
      entries.map { Candidate.Item(entry: $0) }, after: 0, from: start, isForm: recording.isForm,
      make: recording.make, failure: TargetFailure(predicate, at: last), on: host,
      time: time, report: { _ in }, recorded: { _ in nil })
    return try await search.run()
  }

  /// The entries that the events of a finding make; that of a trap has only its event.
  private func entries(
    of finding: Explorer.Finding, of recording: StoredRecording, from start: Snapshot,
    _ host: any ReducerHosting
  ) async throws -> [Entry] {
    let sender = EventSender(host: host, make: recording.make)
    guard case .trap = finding.found.cause, let last = finding.events.last else {
      return try await sender.run(finding.events, from: start).entries
    }
    let before = try await sender.run(Array(finding.events.dropLast()), from: start).entries
    var draft = EntryDraft(seq: Int64(before.count) + 1, t: before.last?.t ?? 0)
    draft.event = last.encoded()[...]
    draft.error = "trapped"
    return before + [try draft.entry()]
  }

  /// The name of the branch: short, because it is shown in lists.
  private static func name(
    of finding: Explorer.Finding, count: Int, _ goal: Predicate?
  ) -> String {
    let what =
      switch finding.found.cause {
      case .predicate: goal.map { "\($0)" } ?? ""
      case .error(let message): message
      case .trap: "\(finding.found.name) traps"
      case .limit: "\(finding.found.name) does not end"
      }
    return "found: \(count == 1 ? "1 event" : "\(count) events"): \(what.cut(toScalars: 32))"
  }

  /// The answer of an exploration, without its findings.
  static func answer(_ explorer: Explorer, _ end: ExploreEnd) -> ToInspector.Explore {
    let coverage = explorer.coverage
    let undecodable = explorer.dropped.undecodable.count
    let isChart = explorer.chart != nil
    return ToInspector.Explore {
      $0.end = end
      $0.states = Int64(explorer.stateCount)
      $0.sent = Int64(explorer.eventCount)
      $0.depth = Int64(explorer.depth)
      $0.walks = explorer.walkCount > 0 ? Int64(explorer.walkCount) : nil
      $0.events = explorer.pool.names.map { name in
        let count = coverage.events[name] ?? Coverage.EventCount()
        return ToInspector.ExploredEvent {
          $0.name = name
          $0.sent = Int64(count.sent)
          $0.effects = Int64(count.effects)
          $0.failures = Int64(count.failures)
        }
      }
      $0.missing = listed(explorer.pool.missing)
      $0.dropped = listed(explorer.dropped.names)
      $0.undecodable = undecodable > 0 ? Int64(undecodable) : nil
      $0.reached = listed(coverage.states.sorted())
      $0.unreached = listed(coverage.unreachedStates)
      $0.edges = isChart ? Int64(coverage.edges.count) : nil
      $0.untaken = listed(coverage.untakenEdges.map(\.text))
    }
  }

  private static func listed(_ texts: [String]) -> [String]? { texts.isEmpty ? nil : texts }
}

extension Explorer.End {
  /// The end, as an answer has it.
  var word: ExploreEnd {
    switch self {
    case .found: .found
    case .everything: .everything
    case .depth: .depth
    case .states: .states
    case .time: .time
    }
  }
}

extension Found {
  /// Whether a branch has an entry for it: one at which the reducer ends has none.
  fileprivate var isEntry: Bool {
    switch cause {
    case .predicate, .error: true
    case .trap, .limit: false
    }
  }

  fileprivate var words: (ExploreCause, String?) {
    switch cause {
    case .predicate: (.predicate, nil)
    case .error(let message): (.error, message)
    case .trap(let message): (.trap, message)
    case .limit(let message): (.limit, message)
    }
  }
}
