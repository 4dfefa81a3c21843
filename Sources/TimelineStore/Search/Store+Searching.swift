internal import JSONCore
package import Timelines

/// A search that goes on from step to step, so that looks at the store stay short and everybody else
/// gets a turn.
protocol SteppedSearch: Sendable {
  /// What comes out.
  associatedtype Answer: Sendable

  /// Goes one step further; answers when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> Answer?

  /// How far the search has come.
  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress
}

extension SteppedSearch {
  /// Nothing is said of short work.
  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress { SearchProgress(done: 0, of: 0) }
}

extension ChangesSearch: SteppedSearch {}
extension FindSearch: SteppedSearch {}
extension ColumnSearch: SteppedSearch {}
extension WindowSearch: SteppedSearch {}
extension OverviewSearch: SteppedSearch {}

extension Store {
  /// The entries that changed the value at a path.
  ///
  /// - Throws: ``StoreError``, among them that the path begins with neither `state` nor `outputs`;
  ///   `CancellationError` when the task is cancelled.
  package nonisolated func changes(
    _ query: ChangesQuery, of id: TimelineID
  ) async throws -> ChangesAnswer {
    guard let search = ChangesSearch(query) else {
      throw StoreError(
        ValueRoot.split(query.path) == nil ? .path(query.path) : .longPath(query.path))
    }
    return try await run(search, of: id)
  }

  /// The entries for which a predicate holds.
  ///
  /// - Parameter progress: is told from time to time how far the search has come.
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

  /// A window of entries, as their lines without full states and with long values cut.
  ///
  /// - Parameter progress: is told from time to time how far a filter has come.
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

  /// Counts over a stretch, looking into no more than some runs.
  nonisolated func overview(
    _ query: OverviewQuery, of id: TimelineID, exactRuns: Int,
    progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> OverviewAnswer {
    let header = try await read { try $0.timeline(id).header }
    // Its own writer checked it; without it the most frequent names are the lanes.
    let lanes = (try? Header(reading: header))?.lanes ?? []
    let frequent = lanes.isEmpty ? try await run(NamesSearch(), of: id) : []
    let search = OverviewSearch(
      query, lanes: OverviewLanes(lanes, frequent: frequent), exactRuns: exactRuns)
    return try await run(search, of: id, scans: true, progress)
  }

  /// What differs between a timeline's index and its entries, in words; nothing when all is well.
  package nonisolated func indexDifferences(of id: TimelineID) async throws -> [String] {
    try await run(IndexCheck(), of: id, scans: true)
  }

  /// How long one look at the store lasts: long work hardly notices, and the log of the database can
  /// be emptied in between.
  private static var lookMilliseconds: Int64 { 20 }

  /// Runs a search in short looks on the threads that read.
  private nonisolated func run<Search: SteppedSearch>(
    _ search: Search, of id: TimelineID, scans: Bool = false,
    _ progress: (SearchProgress) -> Void = { _ in }
  ) async throws -> Search.Answer {
    var search = search
    while true {
      try Task.checkCancellation()
      let begun = search
      let look = try await read { [uptime = options.uptime] reader in
        let source = try SearchSource(reader, reader.lineage(of: id))
        source.keepsRuns = !scans
        var search = begun
        let end = uptime() + .milliseconds(Self.lookMilliseconds)
        repeat {
          if let answer = try search.step(source) { return Look(search: search, answer: answer) }
        } while uptime() < end
        return Look(search: search, progress: search.progress(source.ends))
      }
      if let answer = look.answer { return answer }
      search = look.search
      if let done = look.progress { progress(done) }
    }
  }
}

/// What one look brought.
private struct Look<Search: SteppedSearch>: Sendable {
  var search: Search
  var answer: Search.Answer?
  var progress: SearchProgress?
}
