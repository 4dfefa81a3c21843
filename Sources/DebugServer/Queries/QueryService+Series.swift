internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func series(_ asked: FromInspector.Series) async throws -> ToInspector.Series {
    guard (1...SeriesQuery.pathLimit).contains(asked.paths.count) else {
      throw Refusal(
        .wrongValue, "A series request must have 1 to \(SeriesQuery.pathLimit) paths.",
        path: "paths")
    }
    let limit = min(SeriesQuery.bucketLimit, SeriesQuery.pointLimit / asked.paths.count)
    guard (1...Int64(limit)).contains(asked.buckets) else {
      throw Refusal(
        .wrongValue,
        "With \(asked.paths.count) paths, the number of buckets must be 1 to \(limit).",
        path: "buckets")
    }
    guard asked.from <= asked.to else {
      throw Refusal(.wrongValue, "The stretch ends before it begins.", path: "to")
    }
    let stretch = OverviewQuery(
      from: asked.from, to: asked.to, buckets: Int(asked.buckets), by: asked.by)
    let answer = try await store.series(
      SeriesQuery(paths: asked.paths, stretch: stretch), of: asked.timeline)
    let paths = try answer.paths.map { try ToInspector.PathSeries($0) }
    return ToInspector.Series {
      $0.paths = paths
      $0.unknown = Self.buckets(answer.unknown)
      $0.sampled = Self.buckets(answer.sampled)
      $0.through = answer.last
    }
  }

  private static func buckets(_ ranges: [ClosedRange<Int>]) -> [SeqRange]? {
    ranges.isEmpty
      ? nil : ranges.map { SeqRange(Int64($0.lowerBound)...Int64($0.upperBound)) }
  }
}

extension ToInspector.PathSeries {
  fileprivate init(_ path: SeriesAnswer.Path) throws {
    let last = try path.points.map { try $0.last.json.slice }
    let least = try path.points.map { try ($0.least.map(JSON.number) ?? .null).slice }
    let greatest = try path.points.map { try ($0.greatest.map(JSON.number) ?? .null).slice }
    self.init {
      $0.at = path.points.map { Int64($0.bucket) }
      $0.last = last
      $0.least = least
      $0.greatest = greatest
      $0.changes = path.points.map { Int64($0.changes) }
      $0.redacted = path.isRedacted
    }
  }
}
