internal import Exploring
internal import JSONCore
internal import Predicates
internal import TimelineStore
internal import Timelines
package import Wire

extension RerunService {
  /// Looks for events that lead from a moment to a failure, and makes a branch for each finding.
  package func explore(
    _ asked: FromInspector.Explore, _ report: @escaping ProgressReport
  ) async throws -> ToInspector.Explore {
    let recording = try await StoredRecording(asked.timeline, in: store)
    let (from, start) = try await start(asked, in: recording)
    let goal = try goal(asked, from, start, isFirst: from == recording.seqs?.lowerBound)
    let hosts = try await explorers(for: recording.header, asked.processes)
    let limits = Self.limits(asked)
    let pool = try await recording.pool(
      from: start, excluding: Set(asked.exclude ?? []), in: limits.time)
    guard !pool.events.isEmpty else {
      throw Refusal(
        .failed,
        """
        There are no events to send: no recording of \(recording.header.machine.type) has any that is \
        not excluded, and its schema lists none.
        """, timeline: asked.timeline)
    }
    var explorer = Explorer(
      make: recording.make, start: start, pool: pool, goal: goal,
      chart: ChartEdges(recording.header.chart?.value), limits: limits, on: hosts,
      report: report)
    let (end, problem) = try await run(&explorer)
    var answer = Self.answer(explorer, end)
    answer.problem = problem
    let minimizing = ExplorationTime(deadline: .now + Self.minimizeTime)
    for (index, finding) in explorer.findings.enumerated() {
      let time = minimizing.share(among: explorer.findings.count - index)
      answer.findings.append(
        try await keep(finding, of: recording, after: from, from: start, goal, hosts[0], time))
    }
    return answer
  }

  /// Explores until something ends it. A failure is a result if something was found before.
  private func run(
    _ explorer: inout Explorer
  ) async throws -> (end: ExploreEnd, problem: String?) {
    do {
      return (try await explorer.run().word, nil)
    } catch {
      guard !(error is CancellationError), !explorer.findings.isEmpty else { throw error }
      try Task.checkCancellation()
      explorer.endEncoded()
      return (.failed, Refusal(of: error, about: store.folder).reply.message)
    }
  }

  private static func limits(_ asked: FromInspector.Explore) -> Explorer.Limits {
    var limits = Explorer.Limits()
    limits.time.deadline = .now + .seconds(min(max(1, asked.seconds ?? 60), 86_400))
    limits.depth = Int(min(max(1, asked.depth ?? 64), 10_000))
    limits.states = Int(min(max(1, asked.states ?? 200_000), 20_000_000))
    limits.seed = UInt64(bitPattern: asked.seed ?? 0)
    return limits
  }

  private func start(
    _ asked: FromInspector.Explore, in recording: StoredRecording
  ) async throws -> (seq: Int64, moment: Snapshot) {
    let stretch = try recording.stretch(from: nil, to: nil)
    let from = asked.from ?? stretch.upperBound
    guard stretch.contains(from) else {
      throw Refusal.noEntry(from, in: stretch, path: "from", timeline: asked.timeline)
    }
    guard let moment = try await recording.snapshot(at: from) else {
      throw Refusal(
        .thinned,
        "The state after entry \(from) was not captured. To fix, begin at another entry.",
        path: "from", timeline: asked.timeline)
    }
    return (from, moment)
  }

  private func goal(
    _ asked: FromInspector.Explore, _ from: Int64, _ start: Snapshot, isFirst: Bool
  ) throws -> ExplorationGoal {
    guard asked.until == nil || asked.always == nil else {
      throw Refusal(.wrongValue, "Use 'until' or 'always', not both.", path: "always")
    }
    let predicate = asked.until ?? asked.always.map { Predicate(.not($0.expression)) }
    if let predicate {
      // Without an event: one that a predicate names was not sent yet.
      let subject = EntrySubject(
        entry: try JSONSlice(validating: Array("{}".utf8)), before: SideValues(.known(start)),
        after: SideValues(.known(start)))
      guard predicate.evaluate(subject) != .yes else {
        let what = asked.until.map { "\($0) already holds" } ?? "The predicate is already broken"
        let fix = isFirst ? "use another predicate" : "begin at an earlier entry"
        throw Refusal(
          .failed, "\(what) after entry \(from). To fix, \(fix).",
          path: asked.until == nil ? "always" : "until", timeline: asked.timeline)
      }
    }
    return ExplorationGoal(
      predicate: predicate, conditions: Self.conditions(of: asked.always),
      countsErrors: !asked.ignoreErrors,
      wanted: Int(min(max(1, asked.findings ?? 1), 100)))
  }

  /// The conditions that a predicate joins; none when it is a single one.
  private static func conditions(of predicate: Predicate?) -> [Predicate] {
    guard case .all(let parts)? = predicate?.expression else { return [] }
    return parts.map { Predicate($0) }
  }

  /// The hosts to run on: the machine's own, and more processes of it.
  private func explorers(
    for header: Header, _ asked: Int64?
  ) async throws -> [any ReducerHosting] {
    if let asked, !(1...8).contains(asked) {
      throw Refusal(.wrongValue, "The number of processes must be 1 to 8.", path: "processes")
    }
    let first = try await hosts.host(for: header, named: nil)
    guard first.summary.place == .process else {
      throw Refusal(
        .noHost,
        """
        Only the live app can run this machine, and an event that traps would end it. To fix, give the \
        daemon an executable: debugd host PATH
        """, timeline: header.timeline)
    }
    var found = [first]
    while found.count < Int(asked ?? Int64(min(processors, 4))) {
      // Others only make it faster.
      guard
        let other = try? await hosts.freshHost(for: header, named: nil, environment: [:])
      else { break }
      found.append(other)
    }
    return found
  }
}
