internal import JSONCore
internal import TimelineStore
package import Timelines
package import Wire

// States that were not captured.
extension Branches {
  /// The maximum number of entries that one request computes.
  private static let maximumEntries: Int64 = 100_000

  /// Computes the states in a stretch that were not captured.
  ///
  /// - Throws: a ``Refusal`` if there are such states and none of them can be computed.
  package func compute(
    _ asked: FromInspector.Compute, report: @escaping ProgressReport
  ) async throws -> ToInspector.Done {
    guard asked.from <= asked.to else {
      throw Refusal(.wrongValue, "The stretch ends before it begins.", path: "to")
    }
    guard asked.to - asked.from < Self.maximumEntries else {
      throw Refusal(
        .limit, "At most \(Self.maximumEntries) entries can be computed at once.", path: "to")
    }
    let (header, stretches) = try await store.read { reader in
      (
        try Header(stored: reader.timeline(asked.timeline)),
        try reader.thinned(of: asked.timeline, in: asked.from...asked.to)
      )
    }
    let count = stretches.reduce(0) { $0 + Int64($1.count) }
    var done: Int64 = 0
    var refusal: Refusal?
    for stretch in stretches {
      try Task.checkCancellation()
      do {
        try await compute(stretch, of: header)
      } catch let error as Refusal where error.reply.code == .thinned {
        refusal = error
        continue
      }
      done += Int64(stretch.count)
      let progress = ToInspector.Progress {
        $0.done = done
        $0.of = count
        $0.message = "Computing"
      }
      await report(.progress(progress))
    }
    if let refusal, done == 0 { throw refusal }
    return ToInspector.Done()
  }

  /// Computes the state after an entry that was not captured, and a few before it, which are likely
  /// to be viewed next.
  package func compute(_ moment: EntryReference) async throws {
    let (header, stretch) = try await store.read { reader in
      let around = max(0, moment.seq - 64)...moment.seq
      return (
        try Header(stored: reader.timeline(moment.timeline)),
        try reader.thinned(of: moment.timeline, in: around).last
      )
    }
    guard let stretch, stretch.contains(moment.seq) else { return }
    try await compute(stretch, of: header)
  }

  private func compute(_ stretch: ClosedRange<Int64>, of header: Header) async throws {
    let place = EntryReference(timeline: header.timeline, seq: stretch.upperBound)
    let (computed, timeline) = (computed, header.timeline)
    let generation = computed.generation
    try await ThinnedRun.find(endingAt: place, store: store).run(
      header: header, from: stretch.lowerBound, store: store, hosts: hosts
    ) { entries in computed.add(entries, of: timeline, from: generation) }
  }
}

extension StoreReader {
  /// The stretches whose states were not captured.
  fileprivate func thinned(
    of timeline: TimelineID, in seqs: ClosedRange<Int64>
  ) throws(StoreError) -> [ClosedRange<Int64>] {
    var stretches: [ClosedRange<Int64>] = []
    try forEachEntry(of: lineage(of: timeline), in: seqs) { entry throws(StoreError) in
      guard entry.isThinned, seqs.contains(entry.seq) else { return }
      if let last = stretches.last, last.upperBound == entry.seq - 1, entry.gap == nil {
        stretches[stretches.count - 1] = last.lowerBound...entry.seq
      } else {
        stretches.append(entry.seq...entry.seq)
      }
    }
    return stretches
  }
}
