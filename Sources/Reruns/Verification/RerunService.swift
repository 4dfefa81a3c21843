internal import Foundation
internal import JSONCore
import Predicates
package import TimelineStore
import Timelines
package import Wire

/// Verifies, compares, and minimizes stored timelines by running them again.
package struct RerunService: Sendable {
  /// Makes the branch with the fewest events for a failure.
  package typealias Fork = @Sendable (FromInspector.Fork) async throws -> ToInspector.Fork

  let store: Store
  let hosts: any ReducerHosts
  let fork: Fork
  private let minimizeLimit: Int64
  private let helpedEntries: Int64
  /// The option with which a suggested command finds the daemon.
  private let dataOption: String
  let processors = ProcessInfo.processInfo.activeProcessorCount

  /// - Parameters:
  ///   - minimizeLimit: the maximum number of entries to minimize; they are all held in memory.
  ///   - dataOption: ` --data FOLDER` for suggested commands, if the daemon was started with it.
  ///   - helpedEntries: the minimum number of entries for which a second process helps to verify;
  ///    fewer take one host less time than starting another one.
  package init(
    store: Store, hosts: any ReducerHosts, minimizeLimit: Int64 = 1_000_000,
    helpedEntries: Int64 = 25_000, dataOption: String = "", fork: @escaping Fork
  ) {
    self.dataOption = dataOption
    self.minimizeLimit = minimizeLimit
    self.helpedEntries = helpedEntries
    self.store = store
    self.hosts = hosts
    self.fork = fork
  }

  /// Answers `verify`, `compare`, and `minimise`.
  package func answer(
    _ request: FromInspector, report: @escaping ProgressReport
  ) async throws -> ToInspector {
    switch request {
    case .verify(let asked): .verify(try await verify(asked, report))
    case .compare(let asked): .compare(try await compare(asked, report))
    case .minimize(let asked): .minimize(try await minimize(asked, report))
    case .hello, .timelines, .watch, .entries, .state, .raw, .diff, .changes, .find, .column,
      .series,
      .overview, .compute, .fork, .rename, .delete, .mark, .import, .part, .export, .cancel, .hold,
      .restore, .dispatch, .step, .resume, .capture, .status, .prune, .check, .sessions, .revoke,
      .invite, .hosts, .host, .explore, .explain, .growth, .invariants, .source, .filters,
      .manifest, .fetch,
      .offer, .deposit,
      .finish,
      .error:
      throw Refusal(.failed, "This request cannot be answered here.")
    }
  }

  // MARK: verify

  private func verify(
    _ asked: FromInspector.Verify, _ report: @escaping ProgressReport
  ) async throws -> ToInspector.Verify {
    let processes = asked.processes ?? 1
    guard (1...8).contains(processes) else {
      throw Refusal(.wrongValue, "The number of processes must be 1 to 8.", path: "processes")
    }
    if asked.failure, let verdict = try await checkFailure(asked) { return verdict.answer }
    let recording = try await StoredRecording(asked.timeline, in: store)
    let stretch = try recording.stretch(from: asked.from, to: asked.to)
    let hosts = try await hosts(for: recording.header, Int(processes))
    return try await Verification(
      RecordedBatches(recording, stretch), on: hosts,
      helpedBy: await helper(of: hosts, recording, stretch), report: report
    ).run()
  }

  /// Runs a minimized branch and looks for its failure; `nil` for other timelines.
  func checkFailure(_ asked: FromInspector.Verify) async throws -> FailureVerdict? {
    let recording = try await StoredRecording(asked.timeline, in: store)
    guard let text = recording.header.parent?.failureText else { return nil }
    guard let failure = recording.header.parent?.failure else {
      throw Refusal(
        .failed,
        "This build cannot parse the failure that the branch was minimized for: '\(text)'.",
        timeline: asked.timeline)
    }
    let stretch = try recording.stretch(from: asked.from, to: asked.to)
    var last: FailureVerdict?
    for host in try await hosts(for: recording.header, Int(asked.processes ?? 1)) {
      var check = try await FailureCheck(failure, in: recording, stretch, on: host)
      let verdict = try await check.run()
      guard verdict.outcome == .passes else { return verdict }
      last = verdict
    }
    return last
  }

  /// A second process for a long recording and a request for one process; `nil` if it cannot be
  /// started.
  private func helper(
    of hosts: [any ReducerHosting], _ recording: StoredRecording, _ stretch: ClosedRange<Int64>
  ) async -> (any ReducerHosting)? {
    guard hosts.count == 1, hosts[0].summary.place == .process, processors > 1,
      stretch.upperBound - stretch.lowerBound >= helpedEntries
    else { return nil }
    // It only makes the verification faster.
    return try? await self.hosts.freshHost(for: recording.header, named: nil, environment: [:])
  }

  private func hosts(
    for header: Header, _ count: Int
  ) async throws -> [any ReducerHosting] {
    if count == 1 { return [try await hosts.host(for: header, named: nil)] }
    var fresh: [any ReducerHosting] = []
    for index in 0..<count {
      fresh.append(
        try await hosts.freshHost(
          for: header, named: nil, environment: ProcessEnvironment.environment(index)))
    }
    return fresh
  }

  // MARK: compare

  private func compare(
    _ asked: FromInspector.Compare, _ report: @escaping ProgressReport
  ) async throws -> ToInspector.Compare {
    if let other = asked.with {
      guard asked.host == nil else {
        throw Refusal(
          .wrongValue, "A timeline is compared with another one, or on a host; not both.",
          path: "host")
      }
      var comparison = try await TimelineComparison(
        asked.timeline, other, in: store, report: report)
      return try await comparison.run()
    }
    let recording = try await StoredRecording(asked.timeline, in: store)
    let host = try await hosts.host(for: recording.header, named: asked.host)
    var comparison = try await HostComparison(recording, on: host, report: report)
    return try await comparison.run()
  }

  // MARK: minimize

  private func minimize(
    _ asked: FromInspector.Minimize, _ report: @escaping ProgressReport
  ) async throws -> ToInspector.Minimize {
    let fewest = try await fewestEvents(asked, report)
    let (recording, result) = (fewest.recording, fewest.result)
    let script = result.script(
      after: fewest.base, isFirst: fewest.base == recording.seqs?.lowerBound,
      through: fewest.end, last: recording.seqs?.upperBound ?? fewest.end)
    var timeline = recording.id
    if !script.edits.isEmpty {
      let edits = try JSONSlice(validating: script.text)
      timeline = try await fork(
        FromInspector.Fork {
          $0.timeline = recording.id
          $0.through = recording.seqs?.upperBound
          $0.edits = edits
          $0.name = Self.name(of: result.items.count, for: asked.predicate)
          $0.failure = asked.predicate
        }
      ).timeline
    }
    return ToInspector.Minimize {
      $0.timeline = timeline
      $0.events = Int64(result.items.count)
      $0.runs = result.runs
      $0.minimal = result.isMinimal
    }
  }

  /// The fewest events of a recording that lead to a failure.
  struct FewestEvents {
    var recording: StoredRecording
    var result: Minimization.Result
    /// The entry after which they begin.
    var base: Int64
    /// The entry of the failure in the recording.
    var end: Int64
  }

  /// Looks for the fewest events, without making a branch of them.
  func fewestEvents(
    _ asked: FromInspector.Minimize, _ report: @escaping ProgressReport
  ) async throws -> FewestEvents {
    let recording = try await StoredRecording(asked.timeline, in: store)
    let stretch = try recording.stretch(from: nil, to: asked.through)
    let end = try await failure(asked, in: stretch)
    guard end - stretch.lowerBound < minimizeLimit else {
      throw Refusal(
        .limit,
        """
        The failure is entry \(end), and no more than \(minimizeLimit) entries can be minimized. \
        To fix, make a branch that begins later, and minimize that.
        """, path: "through", timeline: asked.timeline)
    }
    let entries = try await recording.whole(stretch.lowerBound...end)
    guard entries.count > 1 else {
      throw Refusal(
        .failed, "The predicate already holds after entry \(end), before any known event.",
        path: "predicate")
    }
    let (base, start) = try await recording.start(
      of: entries, usesKeyframes: asked.laterStart)
    let events = entries[(base + 1)...]
    let failure = TargetFailure(asked.predicate, at: entries[entries.count - 1])
    let host = try await hosts.host(for: recording.header, named: nil)
    var search = Minimization(
      events.map { Candidate.Item(entry: $0) }, after: entries[base].seq, from: start,
      isForm: recording.isForm, caused: CausedEvents(among: events, of: recording.id),
      keepsPayloads: asked.keepPayloads,
      make: recording.make, failure: failure,
      on: host, time: .seconds(min(max(1, asked.seconds ?? 60), 3_600)), report: report,
      recorded: { try await recording.snapshot(at: $0.seq) })
    do {
      return FewestEvents(
        recording: recording, result: try await search.run(), base: entries[base].seq, end: end)
    } catch let error as Minimization.NotReproduced {
      throw notReproduced(
        error, asked, by: entries, after: base, of: recording.header)
    }
  }

  /// Why there is nothing to minimize, although the recording has the failure.
  private func notReproduced(
    _ error: Minimization.NotReproduced, _ asked: FromInspector.Minimize, by entries: [Entry],
    after base: Int, of header: Header
  ) -> Refusal {
    let end = entries[entries.count - 1].seq
    let why = error.ended.map { ended in
      // A trial numbers its entries from the first one.
      let index = base + Int(clamping: ended.seq)
      let seq = entries.indices.contains(index) ? entries[index].seq : end
      return " Today it ends at entry \(seq): \(ended.sentence)"
    }
    let isRedacted = entries[base...].contains { !$0.redacted.isEmpty }
    let cause =
      isRedacted
      ? "The recording holds stand-ins for redacted values, which may be why."
      : "Either the bug is fixed, or the reducer depends on more than its state and event."
    // Of a minimized branch, `verify` says only whether the failure happens.
    let command = header.parent?.failureText == nil ? "verify" : "compare"
    return Refusal(
      .failed,
      """
      Today's reducer no longer reaches \(asked.predicate); the recording did at entry \(end).\
      \(why ?? "") \(cause) To see the difference, run: debugd \(command) \
      \(asked.timeline.text.prefix(8))\(dataOption)
      """, path: "predicate", timeline: asked.timeline)
  }

  /// The name of the minimized branch: short, because it is shown in lists.
  private static func name(of count: Int, for predicate: Predicates.Predicate) -> String {
    let text = "\(predicate)"
    return "\(count == 1 ? "1 event" : "\(count) events"): \(text.cut(toScalars: 32))"
  }

  /// The first entry of a stretch after which the predicate holds.
  private func failure(
    _ asked: FromInspector.Minimize, in stretch: ClosedRange<Int64>
  ) async throws -> Int64 {
    var from = stretch.lowerBound
    while from <= stretch.upperBound {
      try Task.checkCancellation()
      let answer = try await store.find(
        FindQuery(asked.predicate, from: from), of: asked.timeline, progress: { _ in })
      if let seq = answer.seqs.first, seq <= stretch.upperBound { return seq }
      guard answer.seqs.isEmpty, let next = answer.next, next > from else { break }
      from = next
    }
    throw Refusal(
      .notFound,
      """
      The predicate does not hold anywhere in the stretch, so there is nothing to minimize. To see \
      where a part of it holds, run: debugd find \(asked.timeline.text.prefix(8)) 'PART'
      """,
      path: "predicate", timeline: asked.timeline)
  }
}
