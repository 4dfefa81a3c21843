/// A search in steps, so that reads of the store stay short and others get a turn.
protocol SteppedSearch: Sendable {
  associatedtype Answer: Sendable

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> Answer?

  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress
}

extension SteppedSearch {
  /// Short work reports no progress.
  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress { SearchProgress(done: 0, of: 0) }
}

extension ChangesSearch: SteppedSearch {}
extension FindSearch: SteppedSearch {}
extension ColumnSearch: SteppedSearch {}
extension WindowSearch: SteppedSearch {}
extension OverviewSearch: SteppedSearch {}
