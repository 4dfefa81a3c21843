internal import JSONCore
package import Timelines

extension Store {
  /// The entries that changed the value at a path.
  ///
  /// - Throws: ``StoreError``, for example if the path starts with neither `state` nor `outputs`;
  ///   `CancellationError` if the task is canceled.
  package nonisolated func changes(
    _ query: ChangesQuery, of id: TimelineID
  ) async throws -> ChangesAnswer {
    guard let search = ChangesSearch(query) else {
      throw StoreError(
        ValueRoot.split(query.path) == nil ? .path(query.path) : .longPath(query.path))
    }
    return try await run(search, of: id)
  }

  /// The entries that match a predicate.
  ///
  /// - Parameter progress: called from time to time with the progress.
  package nonisolated func find(
    _ query: FindQuery, of id: TimelineID, progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> FindAnswer {
    try await run(FindSearch(query), of: id, scans: true, progress)
  }

  /// The values at some paths in a stretch of entries.
  package nonisolated func column(
    _ query: ColumnQuery, of id: TimelineID
  ) async throws -> ColumnAnswer {
    guard let search = ColumnSearch(query) else {
      throw StoreError(.path(query.paths.first { !ColumnSearch.isPath($0) } ?? .root))
    }
    return try await run(search, of: id)
  }

  /// How some values change over a stretch, at the resolution of a drawing.
  ///
  /// - Throws: ``StoreError``, if a path starts with neither `state` nor `outputs`, or the paths
  ///   need too many keys of the index; `CancellationError` if the task is canceled.
  package nonisolated func series(
    _ query: SeriesQuery, of id: TimelineID
  ) async throws -> SeriesAnswer {
    try await series(query, of: id, exactRuns: SeriesSearch.exactRunLimit)
  }

  /// How some values change over a stretch, sampled above a number of runs.
  nonisolated func series(
    _ query: SeriesQuery, of id: TimelineID, exactRuns: Int64
  ) async throws -> SeriesAnswer {
    guard let search = SeriesSearch(query, exactRuns: exactRuns) else {
      let wrong = query.paths.first { ValueRoot.split($0) == nil }
      throw StoreError(wrong.map { .path($0) } ?? .longPath(query.paths.last ?? .root))
    }
    return try await run(search, of: id, scans: true)
  }

  /// A window of entries, as lines without full states and with long values cut.
  ///
  /// - Parameter progress: called from time to time with the progress of a filter.
  package nonisolated func window(
    _ query: WindowQuery, of id: TimelineID, progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> WindowAnswer {
    try await run(WindowSearch(query), of: id, scans: query.filter != nil, progress)
  }

  /// Counts over a stretch.
  package nonisolated func overview(
    _ query: OverviewQuery, of id: TimelineID, progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> OverviewAnswer {
    try await overview(query, of: id, exactRuns: OverviewSearch.exactRunLimit, progress: progress)
  }

  /// Counts over a stretch, reading at most some runs.
  nonisolated func overview(
    _ query: OverviewQuery, of id: TimelineID, exactRuns: Int,
    progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> OverviewAnswer {
    let header = try await read { try $0.timeline(id).header }
    // The header was checked when it was stored; without one, the most frequent names are the
    // lanes.
    let lanes = (try? Header(reading: header))?.lanes ?? []
    let frequent = lanes.isEmpty ? try await run(NamesSearch(), of: id) : []
    let search = OverviewSearch(
      query, lanes: OverviewLanes(lanes, frequent: frequent), exactRuns: exactRuns)
    return try await run(search, of: id, scans: true, progress)
  }

  /// The differences between a timeline's index and its entries, as sentences; empty if there are
  /// none.
  package nonisolated func indexDifferences(of id: TimelineID) async throws -> [String] {
    try await run(IndexCheck(), of: id, scans: true)
  }

  /// The maximum duration of one read: long work is hardly slower, and the database log can be
  /// emptied in between.
  private static var lookMilliseconds: Int64 { 20 }

  /// Runs a search in short reads on the reading threads.
  private nonisolated func run<Search: SteppedSearch>(
    _ search: Search, of id: TimelineID, scans: Bool = false,
    _ progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> Search.Answer {
    var search = search
    while true {
      try Task.checkCancellation()
      let begun = search
      let result = try await read { [uptime = options.uptime] reader in
        let source = try SearchSource(reader, reader.lineage(of: id))
        source.keepsRuns = !scans
        var search = begun
        let end = uptime() + .milliseconds(Self.lookMilliseconds)
        repeat {
          if let answer = try search.step(source) {
            return StepResult(search: search, answer: answer)
          }
        } while uptime() < end
        return StepResult(search: search, progress: search.progress(source.ends))
      }
      if let answer = result.answer { return answer }
      search = result.search
      if let done = result.progress { progress(done) }
    }
  }
}

private struct StepResult<Search: SteppedSearch>: Sendable {
  var search: Search
  var answer: Search.Answer?
  var progress: SearchProgress?
}
