internal import Foundation
internal import JSONCore
internal import TimelineStore
package import Timelines

/// Proves things of stored timelines by running them again: that they still come out as recorded,
/// where two of them part, which of their events a failure needs.
package struct Proofs: Sendable {
  /// Makes the branch of the fewest events for a failure.
  package typealias Fork = @Sendable (FromInspector.Fork) async throws -> ToInspector.Fork

  private let store: Store
  private let hosts: any ReducerHosts
  private let fork: Fork
  private let minimiseLimit: Int64
  private let helpedEntries: Int64
  private let processors = ProcessInfo.processInfo.activeProcessorCount

  /// Proofs about the timelines of a store.
  ///
  /// - Parameters:
  ///   - minimiseLimit: the most entries that are minimized; they are all held in memory.
  ///   - helpedEntries: from how many entries on a second process helps to verify them; fewer take one
  ///     host less time than another takes to start.
  init(
    store: Store, hosts: any ReducerHosts, minimiseLimit: Int64 = 1_000_000,
    helpedEntries: Int64 = 25_000, fork: @escaping Fork
  ) {
    self.minimiseLimit = minimiseLimit
    self.helpedEntries = helpedEntries
    self.store = store
    self.hosts = hosts
    self.fork = fork
  }

  /// Answers `verify`, `compare` and `minimise`.
  package func answer(
    _ request: FromInspector, report: @escaping LookUps.Report
  ) async throws -> ToInspector {
    switch request {
    case .verify(let asked): .verify(try await verify(asked, report))
    case .compare(let asked): .compare(try await compare(asked, report))
    case .minimise(let asked): .minimise(try await minimise(asked, report))
    default: throw Refusal(.failed, "This is nothing to prove.")
    }
  }

  // MARK: verify

  private func verify(
    _ asked: FromInspector.Verify, _ report: @escaping LookUps.Report
  ) async throws -> ToInspector.Verify {
    let processes = asked.processes ?? 1
    guard (1...8).contains(processes) else {
      throw Refusal(.wrongValue, "There are 1 to 8 processes.", path: "processes")
    }
    let recording = try await Recording(asked.timeline, in: store)
    let stretch = try recording.stretch(from: asked.from, to: asked.to)
    let hosts = try await hosts(for: recording.header, Int(processes))
    return try await Verification(
      RecordedBatches(recording, stretch), on: hosts,
      helpedBy: await helper(of: hosts, recording, stretch), report: report
    ).run()
  }

  /// Runs a minimized branch and looks for its failure; `nil` for other timelines.
  func checkFailure(_ asked: FromInspector.Verify) async throws -> FailureVerdict? {
    let recording = try await Recording(asked.timeline, in: store)
    guard let failure = recording.header.parent?.failure else { return nil }
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

  /// A second process for a long recording that one alone is to run; `nil` when there can be none.
  private func helper(
    of hosts: [any ReducerHosting], _ recording: Recording, _ stretch: ClosedRange<Int64>
  ) async -> (any ReducerHosting)? {
    guard hosts.count == 1, hosts[0].summary.place == .process, processors > 1,
      stretch.upperBound - stretch.lowerBound >= helpedEntries
    else { return nil }
    // It is a help, and nothing depends on it.
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
          for: header, named: nil, environment: ProcessSurroundings.environment(index)))
    }
    return fresh
  }

  // MARK: compare

  private func compare(
    _ asked: FromInspector.Compare, _ report: @escaping LookUps.Report
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
    let recording = try await Recording(asked.timeline, in: store)
    let host = try await hosts.host(for: recording.header, named: asked.host)
    var comparison = try await HostComparison(recording, on: host, report: report)
    return try await comparison.run()
  }

  // MARK: minimise

  private func minimise(
    _ asked: FromInspector.Minimise, _ report: @escaping LookUps.Report
  ) async throws -> ToInspector.Minimise {
    let recording = try await Recording(asked.timeline, in: store)
    let stretch = try recording.stretch(from: nil, to: asked.through)
    let end = try await failure(asked, in: stretch)
    guard end - stretch.lowerBound < minimiseLimit else {
      throw Refusal(
        .limit,
        """
        The failure is entry \(end), and no more than \(minimiseLimit) entries can be minimized. \
        To fix, make a branch that begins later, and minimize that.
        """, path: "through", timeline: asked.timeline)
    }
    let entries = try await recording.whole(stretch.lowerBound...end)
    guard entries.count > 1 else {
      throw Refusal(
        .failed, "The predicate holds after entry \(end) already, before any event that is known.",
        path: "predicate")
    }
    let (base, start) = try await recording.start(
      of: entries, usesKeyframes: asked.laterStart)
    let items = entries[(base + 1)...].map { Candidate.Item(entry: $0) }
    let needle = Needle(asked.predicate, at: entries[entries.count - 1])
    let host = try await hosts.host(for: recording.header, named: nil)
    var search = Minimisation(
      items, after: entries[base].seq, from: start, isForm: recording.isForm,
      make: recording.make, needle: needle,
      on: host, seconds: min(max(1, asked.seconds ?? 60), 3_600), report: report,
      recorded: { try await recording.snapshot(at: $0.seq) })
    let result = try await search.run()
    let script = result.script(
      after: entries[base].seq, isFirst: entries[base].seq == recording.seqs?.lowerBound,
      through: end, last: recording.seqs?.upperBound ?? end)
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
    return ToInspector.Minimise {
      $0.timeline = timeline
      $0.events = Int64(result.items.count)
      $0.runs = result.runs
      $0.minimal = result.isMinimal
    }
  }

  /// What the branch of the fewest events is called: short, for it stands in lists.
  private static func name(of count: Int, for predicate: Timelines.Predicate) -> String {
    let text = "\(predicate)"
    let shown = text.count > 32 ? "\(text.prefix(31))…" : text
    return "\(count == 1 ? "1 event" : "\(count) events"): \(shown)"
  }

  /// The first entry of a stretch after which the predicate holds.
  private func failure(
    _ asked: FromInspector.Minimise, in stretch: ClosedRange<Int64>
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
      .notFound, "The predicate holds nowhere in the stretch, so there is nothing to minimize.",
      path: "predicate", timeline: asked.timeline)
  }
}
