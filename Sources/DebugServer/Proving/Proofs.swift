internal import JSONCore
internal import TimelineStore
package import Timelines

/// Proves things of stored timelines by running them again: that they still come out as recorded,
/// where two of them part, which of their events a failure needs.
package struct Proofs: Sendable {
  /// Makes a branch.
  package typealias Fork =
    @Sendable (FromInspector.Fork) async throws -> ToInspector.Fork

  private let store: Store
  private let hosts: any ReducerHosts
  private let fork: Fork

  /// Proofs about the timelines of a store.
  init(store: Store, hosts: any ReducerHosts, fork: @escaping Fork) {
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
      RecordedBatches(recording, stretch), on: hosts, report: report
    ).run()
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
      return try await compare(asked.timeline, with: other)
    }
    return try await compare(asked.timeline, onHost: asked.host, report)
  }

  private func compare(
    _ a: TimelineID, with b: TimelineID
  ) async throws -> ToInspector.Compare {
    let alignment = try await store.read { try Alignment(a, b, in: $0) }
    var comparison = Comparison()
    var (left, right) = (try await MomentWalk(a, in: store), try await MomentWalk(b, in: store))
    var (ours, theirs) = (try await left.step(), try await right.step())
    // Entries that moved do not find each other by going forward; both sides are kept until the
    // other has come by.
    var waitingLeft: [Int64: (Int64, Snapshot)] = [:]
    var waitingRight: [Int64: (Int64, Snapshot)] = [:]
    while ours != nil || theirs != nil {
      if let (entry, moment) = ours, let moment, let key = alignment.left(entry.seq) {
        if let other = waitingRight.removeValue(forKey: key) {
          comparison.add((entry.seq, moment), other)
        } else {
          waitingLeft[key] = (entry.seq, moment)
        }
      }
      if let (entry, moment) = theirs, let moment, let key = alignment.right(entry.seq) {
        if let other = waitingLeft.removeValue(forKey: key) {
          comparison.add(other, (entry.seq, moment))
        } else {
          waitingRight[key] = (entry.seq, moment)
        }
      }
      (ours, theirs) = (try await left.step(), try await right.step())
    }
    return try comparison.answer(a, b)
  }

  /// Runs the recorded events on a host from the first known state on, without going back to what was
  /// recorded where the two part.
  private func compare(
    _ timeline: TimelineID, onHost name: String?, _ report: @escaping LookUps.Report
  ) async throws -> ToInspector.Compare {
    let recording = try await Recording(timeline, in: store)
    let host = try await hosts.host(for: recording.header, named: name)
    let stretch = try recording.stretch(from: nil, to: nil)
    var comparison = Comparison()
    var walk = try await MomentWalk(timeline, in: store)
    var computed: Snapshot?
    var next = stretch.lowerBound
    while next <= stretch.upperBound {
      let entries = try await recording.entries(in: next...stretch.upperBound)
      guard let last = entries.last else { break }
      var position = entries.startIndex
      while position < entries.endIndex {
        let entry = entries[position]
        if entry.gap != nil || entry.isFixedPoint || computed == nil {
          // Nothing that is run leads here: the recorded state is given.
          computed = try await walk.step()?.moment
          position += 1
          continue
        }
        let end =
          entries[position...].firstIndex { $0.gap != nil || $0.isFixedPoint } ?? entries.endIndex
        let rerun = try await host.rerun(
          ToRecorder.Reduce(
            again: entries[position..<end], make: recording.make, from: computed))
        for entry in rerun.entries {
          guard var moment = computed else { break }
          try Agreement.advance(&moment, by: entry)
          computed = moment
          if let recorded = try await walk.step()?.moment {
            comparison.add((entry.seq, recorded), (entry.seq, moment))
          }
        }
        if rerun.ended != nil {
          for missing in entries[(position + rerun.entries.count)..<end] {
            comparison.addMissing(missing.seq, rerun.ended?.message)
          }
          return try comparison.answer(timeline, timeline)
        }
        position = end
      }
      next = last.seq + 1
      await report(
        .progress(
          ToInspector.Progress {
            $0.done = next - stretch.lowerBound
            $0.of = stretch.upperBound - stretch.lowerBound + 1
            $0.message = "Running it on the host"
          }))
    }
    return try comparison.answer(timeline, timeline)
  }

  // MARK: minimise

  private func minimise(
    _ asked: FromInspector.Minimise, _ report: @escaping LookUps.Report
  ) async throws -> ToInspector.Minimise {
    let recording = try await Recording(asked.timeline, in: store)
    let stretch = try recording.stretch(from: nil, to: asked.through)
    let end = try await failure(asked, in: stretch)
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
      items, from: start, make: recording.make, needle: needle,
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
          $0.name = "fewest events for \(asked.predicate)"
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
      .notFound, "The predicate holds nowhere in the stretch, so there is nothing to minimise.",
      path: "predicate", timeline: asked.timeline)
  }
}
