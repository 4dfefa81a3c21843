internal import Explaining
internal import JSONCore
internal import Predicates
internal import TimelineStore
internal import Timelines
package import Wire

extension RerunService {
  /// Says what led to an entry: composed of the queries that commands and the page use as well.
  package func explain(
    _ asked: FromInspector.Explain, _ report: @escaping ProgressReport
  ) async throws -> ToInspector.Explain {
    let facts = StoredFacts(store: store)
    let place = EntryReference(timeline: asked.timeline, seq: asked.seq)
    let record = try await store.read { try $0.timeline(asked.timeline) }
    let header = try Header(reading: record.header)
    let seqs = record.last.flatMap { last in record.first.map { min($0, last)...last } }
    let missing = Refusal.noEntry(asked.seq, in: seqs, path: "seq", timeline: asked.timeline)
    guard let entry = try await facts.entry(place) else { throw missing }
    let predicate = try await predicate(asked, entry, header, facts)
    guard
      let explanation = try await Explainer(facts, predicate).explanation(of: place)
    else { throw missing }
    var answer = ToInspector.Explain()
    answer.predicate = predicate
    try await answer.add(explanation, of: place, facts)
    if let predicate {
      answer.since = try await since(predicate, asked, first: record.first ?? 0)
      try await addFewest(predicate, asked, facts, to: &answer, report)
    } else if asked.fewest {
      answer.miss("To get the fewest events, give a condition that holds after the entry.")
    }
    try await addHealthy(predicate, asked, header, to: &answer)
    if explanation.isCut { answer.miss("More values or causes led to it than are listed.") }
    return answer
  }

  /// What to explain; `nil` for what the entry changed.
  private func predicate(
    _ asked: FromInspector.Explain, _ entry: Entry, _ header: Header, _ facts: StoredFacts
  ) async throws -> Predicate? {
    if let given = asked.predicate {
      switch try await answer(given, at: entry, asked, facts) {
      case .yes: return given
      case .no:
        throw Refusal(
          .failed,
          """
          \(given) does not hold after entry \(asked.seq). To fix, name an entry after which it does.
          """, path: "predicate", timeline: asked.timeline)
      case .unknown:
        throw Refusal(
          .thinned,
          """
          The recording does not say whether \(given) holds after entry \(asked.seq): a value is \
          redacted, or was not captured. To fix, name another entry.
          """, path: "predicate", timeline: asked.timeline)
      }
    }
    if let failure = header.parent?.failure,
      try await answer(failure, at: entry, asked, facts) == .yes
    {
      return failure
    }
    return entry.error.flatMap { error in
      let text = String(decoding: JSON.string(error).encoded(), as: UTF8.self)
      return (try? Predicate("error == \(text)")) ?? (try? Predicate("error != null"))
    }
  }

  private func answer(
    _ predicate: Predicate, at entry: Entry, _ asked: FromInspector.Explain, _ facts: StoredFacts
  ) async throws -> Answer {
    let place = EntryReference(timeline: asked.timeline, seq: asked.seq)
    let after = try await facts.moment(after: place)
    let earlier = EntryReference(timeline: asked.timeline, seq: max(0, asked.seq) - 1)
    let before = asked.seq > 0 ? try await facts.moment(after: earlier) : nil
    return predicate.evaluate(EntrySubject(entry, before: before, after: after))
  }

  /// The entry since which a predicate holds without a break; `nil` if the recording does not say.
  private func since(
    _ predicate: Predicate, _ asked: FromInspector.Explain, first: Int64
  ) async throws -> Int64? {
    var from = asked.seq
    while true {
      try Task.checkCancellation()
      let answer = try await store.find(
        FindQuery(Predicate(.not(predicate.expression)), from: from, isBackward: true),
        of: asked.timeline)
      if let unknown = answer.unknown.last, unknown.upperBound > (answer.seqs.first ?? -1) {
        return nil
      }
      if let last = answer.seqs.first {
        return try await store.read { reader in
          try reader.firstSeq(of: reader.lineage(of: asked.timeline), in: last + 1...asked.seq)
        }
      }
      guard let next = answer.next, next < from else { return first }
      from = next
    }
  }

  private func addFewest(
    _ predicate: Predicate, _ asked: FromInspector.Explain, _ facts: StoredFacts,
    to answer: inout ToInspector.Explain, _ report: @escaping ProgressReport
  ) async throws {
    guard asked.fewest else { return }
    do {
      let found = try await fewestEvents(
        FromInspector.Minimize {
          $0.timeline = asked.timeline
          $0.predicate = predicate
          $0.through = asked.seq
          $0.seconds = min(max(1, asked.seconds ?? 20), 3_600)
        }, report)
      answer.fewest = ToInspector.ExplainedFewest {
        $0.minimal = found.result.isMinimal
        $0.entries = found.result.items.map { item in
          var entry = ToInspector.ExplainedEntry(item.entry, of: asked.timeline, in: asked.timeline)
          if let simpler = item.simpler { entry.event = simpler.short }
          return entry
        }
      }
    } catch {
      if error is CancellationError { throw error }
      try Task.checkCancellation()
      answer.miss("The fewest events: \(Refusal(of: error, about: store.folder).reply.message)")
    }
  }

  private func addHealthy(
    _ predicate: Predicate?, _ asked: FromInspector.Explain, _ header: Header,
    to answer: inout ToInspector.Explain
  ) async throws {
    let recordings = HealthyRecordings(store: store, header: header, through: asked.seq)
    guard asked.healthy != nil || predicate != nil else { return }
    guard try await recordings.isShort else {
      return answer.miss(
        "A recording of more than \(HealthyRecordings.entryLimit) entries is not compared.")
    }
    let found =
      if let healthy = asked.healthy {
        try await recordings.difference(from: healthy)
      } else { try await recordings.nearest(without: predicate ?? .always) }
    guard let found else {
      return answer.miss(
        """
        No other recording of \(header.machine.type) was found without this failure. To compare with \
        one, record a run that goes well.
        """)
    }
    if asked.healthy != nil, let predicate,
      try await recordings.has(predicate, in: found.timeline)
    {
      answer.miss("\(predicate) holds in the recording that was named as healthy, too.")
    }
    let facts = StoredFacts(store: store)
    var difference = ToInspector.ExplainedDifference { $0.timeline = found.timeline }
    if let first = found.difference {
      difference.entry = try await facts.explained(
        EntryReference(timeline: asked.timeline, seq: first.seq), in: asked.timeline)
      if case .payload(_, let other) = first {
        difference.other = try await facts.explained(
          EntryReference(timeline: found.timeline, seq: other), in: asked.timeline)
      }
    }
    answer.healthy = difference
  }
}
