internal import Mining
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func invariants(
    _ asked: FromInspector.Invariants, report: @escaping Report
  ) async throws -> ToInspector.Invariants {
    let limit = asked.limit ?? 20
    guard (1...200).contains(limit) else {
      throw Refusal(.wrongValue, "The limit must be 1 to 200.", path: "limit")
    }
    let all = try await recordings(asked)
    let searched = all.prefix(InvariantSearch.recordingLimit)
    let found = try await InvariantSearch(self, Array(searched), report: report).run(
      limit: Int(limit)
    ) { !asked.meant || $0.isLikelyMeant }
    return ToInspector.Invariants {
      $0.invariants = found.invariants.map { ToInspector.FoundInvariant($0) }
      $0.entries = searched.reduce(0) { $0 + $1.entries }
      $0.unknown = found.unknown > 0 ? found.unknown : nil
      $0.recordings = Int64(searched.count)
      $0.skipped = all.count > searched.count ? Int64(all.count - searched.count) : nil
    }
  }

  /// The named recordings, then the others from the newest on.
  private func recordings(
    _ asked: FromInspector.Invariants
  ) async throws -> [InvariantSearch.Recording] {
    var named: [TimelineRecord] = []
    for timeline in asked.timelines where !named.contains(where: { $0.id == timeline }) {
      named.append(try await store.read { try $0.timeline(timeline) })
      guard named.count <= InvariantSearch.recordingLimit else { break }
    }
    let types = Set(try named.map { try Header(reading: $0.header).machine.type })
    guard let type = types.first else {
      throw Refusal(.wrongValue, "Name at least one recording.", path: "timelines")
    }
    guard types.count == 1 else {
      throw Refusal(
        .wrongValue, "These are recordings of different types of machine. To fix, name one type.",
        path: "timelines")
    }
    let others =
      asked.others
      ? try await store.read { try $0.timelines() }.filter { record in
        !named.contains { $0.id == record.id }
          && (try? Header(reading: record.header))?.isRecording(of: type) == true
      } : []
    return (named + others).compactMap { record in
      guard let first = record.first, let last = record.last, first <= last else { return nil }
      return InvariantSearch.Recording(
        timeline: record.id, seqs: first...last, entries: record.entries)
    }
  }
}

extension ToInspector.FoundInvariant {
  fileprivate init(_ found: Invariant) {
    self.init {
      $0.kind = found.kind
      $0.predicate = found.predicate
      $0.support = Int64(found.support)
    }
  }
}
