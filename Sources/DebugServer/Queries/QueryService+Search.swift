internal import JSONCore
internal import Predicates
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func entries(
    _ asked: FromInspector.Entries, report: @escaping Report
  ) async throws -> ToInspector.Entries {
    let count = try Self.count(asked.count, path: "count", limit: limits.wire.windowEntries)
    let query = WindowQuery(
      from: asked.from, count: count, isBackward: asked.direction == .backward,
      filter: asked.filter, cutBytes: limits.wire.cutBytes)
    let last = query.isBackward ? asked.from : asked.from.saturatingAdd(Int64(count) - 1)
    if asked.filter == nil, let entries = try await hostEntries(query, asked) { return entries }
    await wait(for: asked.timeline, upTo: last)
    let answer = try await reporting(report) { progress in
      try await store.window(query, of: asked.timeline, progress: progress)
    }
    let lines = try zip(answer.seqs, answer.lines).map { seq, line in
      try withComputed(Self.slice(line), of: asked.timeline, at: seq)
    }
    return ToInspector.Entries {
      $0.timeline = asked.timeline
      $0.entries = lines
      $0.next = answer.next
      $0.unknown = Self.ranges(answer.unknown)
      $0.leaves = leaves(answer.leaves)
    }
  }

  /// A window from a host, because its last entries are not durable yet.
  private func hostEntries(
    _ query: WindowQuery, _ asked: FromInspector.Entries
  ) async throws -> ToInspector.Entries? {
    guard
      let rows = try await branches?.rows(
        of: asked.timeline, from: asked.from, count: query.count, isBackward: query.isBackward),
      let first = rows.first?.seq, let last = rows.last?.seq
    else { return nil }
    var lines = try rows.map { row in
      // The duration of this run differs from the one that will be stored.
      var draft = EntryDraft(row)
      draft.ns = nil
      return try Self.slice(draft.entry().shown(cutBytes: query.cutBytes))
    }
    var low = first
    var stored = query
    stored.count = query.count - rows.count
    stored.isBackward = true
    stored.from = first - 1
    if !query.isBackward {
      stored.count = Int(clamping: min(Int64(stored.count), first - query.from))
    }
    if stored.from >= 0, stored.count > 0 {
      let answer = try await store.window(stored, of: asked.timeline)
      lines = try answer.lines.reversed().map { try Self.slice($0) } + lines
      low = answer.seqs.last ?? low
    }
    let isFull = lines.count == query.count
    if query.isBackward { lines.reverse() }
    return ToInspector.Entries {
      $0.timeline = asked.timeline
      $0.entries = lines
      $0.next = !isFull ? nil : query.isBackward ? (low > 0 ? low - 1 : nil) : last + 1
    }
  }

  /// A line with the state that a host computed where none was captured, marked as computed.
  private func withComputed(
    _ line: JSONSlice, of timeline: TimelineID, at seq: Int64
  ) throws -> JSONSlice {
    guard let computed = branches?.computed.entry(of: timeline, at: seq), line["patch"] == nil
    else { return line }
    var draft = EntryDraft(computed)
    draft.was = line["was"]?.int
    draft.omitted = nil
    var bytes = try draft.entry().shown(cutBytes: limits.wire.cutBytes)
    bytes.removeLast()
    return try Self.slice(bytes + Array(#","computed":true}"#.utf8))
  }

  /// The newest entries after the last reported one.
  func follow(
    _ timeline: TimelineID, after: Int64, filter: Predicate?
  ) async throws -> ToInspector.Live {
    let record = try await store.read { try $0.timeline(timeline) }
    guard let last = record.last, last > after else {
      return ToInspector.Live { $0.timeline = timeline }
    }
    let preview = await branches?.previews(of: [timeline])[timeline]
    let query = WindowQuery(
      from: last, count: limits.newsEntries, isBackward: true, filter: filter,
      cutBytes: limits.wire.cutBytes)
    // Search only the new entries: a filter that none of them matches would search far back.
    let answer =
      filter == nil
      ? try await store.window(query, of: timeline)
      : try await newWindow(query, of: timeline, after: after)
    let newest = zip(answer.seqs, answer.lines).filter { $0.0 > after }.reversed()
    let lines = try newest.map { try Self.slice($0.1) }
    return ToInspector.Live {
      $0.timeline = timeline
      $0.last = max(last, preview?.last ?? last)
      $0.t = max(record.duration, preview?.t ?? 0)
      $0.durable = last
      $0.from = newest.first?.0
      $0.entries = lines
    }
  }

  /// The newest of the new entries that match a filter, searched from the oldest on so that the
  /// search ends where the new entries end.
  private func newWindow(
    _ query: WindowQuery, of timeline: TimelineID, after: Int64
  ) async throws -> WindowAnswer {
    var forward = query
    forward.isBackward = false
    forward.from = after + 1
    var newest = try await store.window(forward, of: timeline)
    while let next = newest.next {
      forward.from = next
      let answer = try await store.window(forward, of: timeline)
      guard !answer.lines.isEmpty else { break }
      newest = answer
    }
    newest.lines.reverse()
    newest.seqs.reverse()
    return newest
  }

  func changes(_ asked: FromInspector.Changes) async throws -> ToInspector.Changes {
    let limit = try Self.count(asked.limit, path: "limit", limit: limits.wire.windowEntries)
    let range: ChangesQuery.Range
    switch (asked.before, asked.after) {
    case (_?, _?):
      throw Refusal(
        .wrongValue, "Ask for changes before an entry or after one, not both.", path: "after")
    case (let before?, nil): range = .before(before)
    case (nil, let after?): range = .after(after)
    case (nil, nil): range = .before(.max)
    }
    let query = ChangesQuery(path: asked.path, range, limit: limit, follow: asked.follow)
    let answer = try await store.changes(query, of: asked.timeline)
    let changes = try answer.changes.map { change in
      let (old, new) = (try change.old?.slice, try change.new?.slice)
      return ToInspector.Change {
        $0.seq = change.seq
        $0.old = old
        $0.new = new
      }
    }
    return ToInspector.Changes {
      $0.changes = changes
      $0.unknown = Self.ranges(answer.unknown)
      $0.more = answer.hasMore
    }
  }

  func find(
    _ asked: FromInspector.Find, report: @escaping Report
  ) async throws -> ToInspector.Find {
    let limit = try Self.count(asked.limit ?? 1, path: "limit", limit: limits.wire.windowEntries)
    let query = FindQuery(
      asked.predicate, from: asked.from, isBackward: asked.direction == .backward, limit: limit)
    let answer = try await reporting(report) { progress in
      try await store.find(query, of: asked.timeline, progress: progress)
    }
    return ToInspector.Find {
      $0.seqs = answer.seqs
      $0.next = answer.next
      $0.unknown = Self.ranges(answer.unknown)
      $0.unknownCount = answer.unknownCount
      $0.leaves = leaves(answer.leaves)
    }
  }

  func column(_ asked: FromInspector.Column) async throws -> ToInspector.Column {
    guard (1...64).contains(asked.paths.count) else {
      throw Refusal(.wrongValue, "A column request must have 1 to 64 paths.", path: "paths")
    }
    let count = try Self.count(asked.count, path: "count", limit: ColumnQuery.countLimit)
    let query = ColumnQuery(paths: asked.paths, from: asked.from, count: count)
    let answer = try await store.column(query, of: asked.timeline)
    let columns = try answer.columns.map(Self.slice)
    return ToInspector.Column {
      $0.from = answer.from
      $0.columns = columns
      $0.unknown = Self.ranges(answer.unknown)
    }
  }

  /// The frame lacks the id of the request, which the caller fills in.
  func overview(_ asked: FromInspector.Overview) async throws -> OverviewFrame {
    guard (1...Int64(limits.wire.overviewBuckets)).contains(asked.buckets) else {
      throw Refusal(
        .wrongValue, "The number of buckets must be 1 to \(limits.wire.overviewBuckets).",
        path: "buckets")
    }
    guard asked.from <= asked.to else {
      throw Refusal(.wrongValue, "The stretch ends before it begins.", path: "to")
    }
    let query = OverviewQuery(
      from: asked.from, to: asked.to, buckets: Int(asked.buckets), by: asked.by)
    let answer = try await store.overview(query, of: asked.timeline)
    let head = OverviewHead {
      $0.timeline = asked.timeline
      $0.by = asked.by
      $0.from = asked.from
      $0.to = asked.to
      $0.buckets = asked.buckets
      $0.lanes = answer.lanes
    }
    var frame = OverviewFrame(head: head, columns: answer.columns)
    // Here, because the hub serves all other peers meanwhile.
    frame.encodeColumns()
    return frame
  }
}

extension QueryService {
  /// Reports the progress of a search while it runs.
  private func reporting<Value: Sendable>(
    _ report: @escaping Report,
    _ body: (_ progress: (SearchProgress) -> Void) async throws -> Value
  ) async throws -> Value {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SearchProgress.self, bufferingPolicy: .bufferingNewest(1))
    async let forwarding: Void = {
      for await progress in stream {
        let message = ToInspector.Progress {
          $0.done = max(0, progress.done)
          $0.of = progress.of > 0 ? progress.of : nil
          $0.message = "Searching"
        }
        await report(.progress(message))
      }
    }()
    defer { continuation.finish() }
    let value = try await body { continuation.yield($0) }
    continuation.finish()
    await forwarding
    return value
  }

  /// A requested count, limited to what one answer may have.
  static func count(_ asked: Int64, path: String, limit: Int) throws -> Int {
    guard asked > 0 else {
      throw Refusal(.wrongValue, "The key '\(path)' must be 1 or more.", path: path)
    }
    return min(Int(clamping: asked), limit)
  }

  private static func ranges(_ ranges: [ClosedRange<Int64>]) -> [SeqRange]? {
    ranges.isEmpty ? nil : ranges.map { SeqRange($0) }
  }

  /// Where a predicate found leaves; keys may be of any length.
  private func leaves(_ found: [Int64: Pointer]) -> [ToInspector.FoundLeaf]? {
    let short = found.sorted { $0.key < $1.key }.filter {
      $0.value.description.utf8.count <= limits.wire.cutBytes
    }
    if short.isEmpty { return nil }
    return short.map { seq, path in
      ToInspector.FoundLeaf {
        $0.seq = seq
        $0.path = path
      }
    }
  }

  private static func slice(_ bytes: [UInt8]) throws -> JSONSlice {
    do {
      return try JSONSlice(validating: bytes)
    } catch {
      throw Refusal(.failed, "A stored line is not JSON: \(error).")
    }
  }
}

extension Int64 {
  /// The sum, or the maximum if it overflows.
  fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
