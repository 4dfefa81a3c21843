internal import JSONCore
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  private static let state = Pointer(tokens: ["state"])

  func growth(
    _ asked: FromInspector.Growth, report: @escaping Report
  ) async throws -> ToInspector.Growth {
    let samples = asked.samples ?? 24
    let limit = asked.limit ?? 20
    guard (2...64).contains(samples) else {
      throw Refusal(.wrongValue, "The number of samples must be 2 to 64.", path: "samples")
    }
    guard (1...200).contains(limit) else {
      throw Refusal(.wrongValue, "The limit must be 1 to 200.", path: "limit")
    }
    let record = try await store.read { try $0.timeline(asked.timeline) }
    guard let first = record.first, let last = record.last else { return ToInspector.Growth() }
    let from = max(first, asked.from ?? first)
    let to = min(last, asked.to ?? last)
    guard from <= to else {
      throw Refusal(
        .wrongValue, "The timeline has the entries \(first) to \(last).", path: "from",
        timeline: asked.timeline)
    }
    let seqs = Self.spread(samples, from: from, to: to)
    var measured: [(seq: Int64, size: SizeTree)] = []
    for (place, seq) in seqs.enumerated() {
      try Task.checkCancellation()
      let moment = EntryReference(timeline: asked.timeline, seq: seq)
      if let state = try await knownValue(at: moment, Self.state) {
        measured.append((seq, SizeTree(state)))
      }
      await report(
        .progress(
          ToInspector.Progress {
            $0.done = Int64(place + 1)
            $0.of = Int64(seqs.count)
          }))
    }
    return Self.answer(measured, unknown: seqs.count - measured.count, limit: Int(limit))
  }

  /// Entries at equal distances, with the first and the last one.
  private static func spread(_ count: Int64, from: Int64, to: Int64) -> [Int64] {
    let distance = to - from
    let steps = min(count - 1, distance)
    guard steps > 0 else { return [from] }
    // In two parts, because the product of large numbers would overflow.
    return (0...steps).map { from + distance / steps * $0 + distance % steps * $0 / steps }
  }

  private static func answer(
    _ measured: [(seq: Int64, size: SizeTree)], unknown: Int, limit: Int
  ) -> ToInspector.Growth {
    let parts = GrowthReport(measured.map(\.size), at: ["state"]).parts
    return ToInspector.Growth {
      $0.seqs = measured.map(\.seq)
      $0.bytes = measured.map { Int64($0.size.bytes) }
      $0.paths = parts.prefix(limit).map { part in
        ToInspector.GrowthPath {
          $0.path = Pointer(tokens: part.path)
          $0.bytes = part.bytes.map { Int64($0) }
          $0.elements = part.elements.map { $0.map { Int64($0) } }
        }
      }
      $0.unknown = unknown > 0 ? Int64(unknown) : nil
      $0.more = parts.count > limit
    }
  }
}
