import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import TimelineStore

/// The series of one path, found by looking at all states.
struct NaiveSeries {
  private(set) var path = SeriesAnswer.Path()
  private(set) var unknown: Set<Int> = []
  private(set) var last: Int64?

  init(_ timeline: TangledTimeline, at pointer: Pointer, _ stretch: OverviewQuery) {
    let places = timeline.entries.indices.filter {
      let entry = timeline.entries[$0]
      return stretch.bucket(of: stretch.by == .seq ? entry.seq : entry.t) != nil
    }
    let first =
      places.first
      ?? timeline.entries.firstIndex { (stretch.by == .seq ? $0.seq : $0.t) > stretch.to }
      ?? timeline.entries.count
    var value: SeriesValue?
    if first > 0 {
      value = Self.value(timeline, timeline.entries[first - 1].seq, pointer)
      path.points = [Self.point(value ?? .unknown, in: 0)]
    }
    // The value that the stretch begins with counts, too.
    let all = (first > 0 ? [first - 1] : []) + places
    path.isRedacted = all.contains {
      timeline.entries[$0].redacted.contains { $0.pointer.isPrefix(of: pointer) }
    }
    for entry in places.map({ timeline.entries[$0] }) {
      last = entry.seq
      let bucket = stretch.bucket(of: stretch.by == .seq ? entry.seq : entry.t) ?? 0
      let next = Self.value(timeline, entry.seq, pointer)
      if next == .unknown || entry.gap != nil { unknown.insert(bucket) }
      defer { value = next }
      guard let value, value != next else {
        if value == nil { path.points.append(Self.point(next, in: bucket)) }
        continue
      }
      if path.points.last?.bucket != bucket { path.points.append(Self.point(value, in: bucket)) }
      let place = path.points.count - 1
      path.points[place].last = next
      let isChange = value != .unknown && next != .unknown && entry.gap == nil
      path.points[place].changes += isChange ? 1 : 0
      guard let number = next.number else { continue }
      path.points[place].least = min(path.points[place].least ?? number, number)
      path.points[place].greatest = max(path.points[place].greatest ?? number, number)
    }
    if path.isRedacted { path.points = [] }
  }

  private static func point(_ value: SeriesValue, in bucket: Int) -> SeriesAnswer.Point {
    SeriesAnswer.Point(bucket: bucket, last: value, least: value.number, greatest: value.number)
  }

  static func value(
    _ timeline: TangledTimeline, _ seq: Int64, _ pointer: Pointer
  ) -> SeriesValue {
    guard let moment = timeline.moments[seq], case .known = moment else { return .unknown }
    return SeriesValue(moment.value(at: pointer))
  }
}

@Suite("Series of values")
struct SeriesSearchTests {
  @Test(
    "are those found by looking at all states",
    arguments: [
      (UInt64(1), true, 0.0), (2, true, 0), (3, true, 0.02), (4, false, 0.02), (5, true, 0.1),
    ])
  func exact(seed: UInt64, isIndexed: Bool, redaction: Double) async throws {
    let timeline = TangledTimeline(count: 250, seed: seed, odds: .init(redaction: redaction))
    try await withSearched(timeline, isIndexed: isIndexed) { store, id in
      var generator = SeededGenerator(seed: seed)
      let paths = try timeline.paths(count: 12, seed: seed)
      for _ in 0..<16 {
        let stretch = Self.stretch(of: timeline, &generator)
        let answer = try await store.series(SeriesQuery(paths: paths, stretch: stretch), of: id)
        for (path, found) in zip(paths, answer.paths) {
          let naive = NaiveSeries(timeline, at: path, stretch)
          #expect(found == naive.path, "seed \(seed), \(path), \(stretch)")
          #expect(answer.last == naive.last)
          #expect(Set(answer.unknown.joined()) == naive.unknown, "seed \(seed), \(stretch)")
        }
        #expect(answer.sampled.isEmpty)
      }
    }
  }

  @Test("that are sampled have the last value of every bucket", arguments: [UInt64(11), 12, 13])
  func sampled(seed: UInt64) async throws {
    let timeline = TangledTimeline(count: 600, seed: seed)
    var generator = SeededGenerator(seed: seed)
    let queries = try (0..<8).map { _ in
      SeriesQuery(
        paths: try timeline.paths(count: 8, seed: seed),
        stretch: Self.stretch(of: timeline, &generator))
    }
    let answers = try await withSearched(timeline) { store, id in
      var answers: [(sampled: SeriesAnswer, exact: SeriesAnswer)] = []
      for query in queries {
        let sampled = try await store.series(query, of: id, exactRuns: 0)
        answers.append((sampled, try await store.series(query, of: id)))
      }
      return answers
    }
    for (query, answer) in zip(queries, answers) {
      for index in query.paths.indices {
        Self.compare(
          answer.sampled, answer.exact, index, "seed \(seed), \(query.paths[index])")
      }
    }
    #expect(answers.contains { !$0.sampled.sampled.isEmpty })
  }

  private static func compare(
    _ answer: SeriesAnswer, _ exact: SeriesAnswer, _ path: Int, _ comment: Comment
  ) {
    let sampled = Set(answer.sampled.joined())
    let (found, wanted) = (answer.paths[path].points, exact.paths[path].points)
    for bucket in wanted.map(\.bucket) + found.map(\.bucket) {
      let last = found.last { $0.bucket <= bucket }?.last
      #expect(last == wanted.last { $0.bucket <= bucket }?.last, comment)
    }
    for point in found {
      guard sampled.contains(point.bucket) else {
        #expect(wanted.contains(point), comment)
        continue
      }
      let whole = wanted.first { $0.bucket == point.bucket }
      #expect(point.changes <= whole?.changes ?? 0, comment)
      if let least = point.least, let all = whole?.least { #expect(least >= all, comment) }
      if let greatest = point.greatest, let all = whole?.greatest {
        #expect(greatest <= all, comment)
      }
    }
  }

  @Test("of a branch continue those of its parent", arguments: [1, 90, 151])
  func branch(start: Int) async throws {
    var options = StoreOptions()
    options.chunkBytes = 4 << 10
    try await withStore(options, indexer: TimelineIndexer()) { store in
      let parent = SampleTimeline(count: 200)
      _ = try await store.open(parent.header)
      for entry in parent.entries {
        _ = try await store.append(AppendBatch(parent.header.timeline, [entry]))
      }
      let branch = try Branch(of: parent, start: start, count: 120)
      _ = try await store.createBranch(branch.header)
      for entry in branch.own {
        _ = try await store.append(AppendBatch(branch.header.timeline, [entry]))
      }
      let whole = TangledTimeline(branch.whole)
      var generator = SeededGenerator(seed: UInt64(start))
      let paths = try ["/state/count", "/state/items/1/isDone", "/state/user/isIn"].map {
        try Pointer($0)
      }
      for _ in 0..<8 {
        let stretch = Self.stretch(of: whole, &generator)
        let answer = try await store.series(
          SeriesQuery(paths: paths, stretch: stretch), of: branch.header.timeline)
        for (path, found) in zip(paths, answer.paths) {
          #expect(found == NaiveSeries(whole, at: path, stretch).path, "\(path), \(stretch)")
        }
      }
    }
  }

  @Test("cut long strings, and name values that are not scalars")
  func values() {
    let long = String(repeating: "é", count: 65)
    #expect(SeriesValue(.string(long)).json == ["is": "string", "bytes": 130])
    #expect(SeriesValue(.string(String(long.dropLast()))).json.string?.count == 64)
    #expect(SeriesValue([1, 2]).json == ["is": "array", "count": 2])
    #expect(SeriesValue(["loading": [:]]).json == ["is": "object", "case": "loading"])
    #expect(SeriesValue(["a": 1, "b": 2]).json == ["is": "object"])
    #expect(SeriesValue([long: 1]).json == ["is": "object"])
    #expect(SeriesValue(nil).json == ["is": "absent"])
    #expect(SeriesValue(.some(.null)).json == .null)
  }

  @Test("refuse a path that leads nowhere, and paths with too many keys")
  func refused() async throws {
    let timeline = TangledTimeline(count: 3, seed: 1)
    try await withSearched(timeline) { store, id in
      let stretch = OverviewQuery(from: 0, to: 9, buckets: 2, by: .seq)
      let event = try Pointer("/event")
      _ = await #expect(throws: StoreError(.path(event))) {
        try await store.series(SeriesQuery(paths: [event], stretch: stretch), of: id)
      }
      let long = Pointer(tokens: ["state"] + Array(repeating: "998", count: 40))
      _ = await #expect(throws: StoreError(.longPath(long))) {
        let paths = Array(repeating: long, count: 64)
        return try await store.series(SeriesQuery(paths: paths, stretch: stretch), of: id)
      }
    }
  }

  private static func stretch(
    of timeline: TangledTimeline, _ generator: inout SeededGenerator
  ) -> OverviewQuery {
    let by: TimelineAxis = Bool.random(using: &generator) ? .seq : .t
    let last = timeline.entries.last
    let end = (by == .seq ? last?.seq : last?.t) ?? 0
    let from = Int64.random(in: 0...end, using: &generator)
    let isWhole = Int.random(in: 0..<3, using: &generator) == 0
    // Now and then a stretch that may lie between two entries.
    let isShort = Int.random(in: 0..<4, using: &generator) == 0
    let to = isShort ? from + 1 : Int64.random(in: from...end + 9, using: &generator)
    return OverviewQuery(
      from: isWhole ? 0 : from, to: isWhole ? end + 5 : to,
      buckets: Int.random(in: 1...40, using: &generator), by: by)
  }
}
