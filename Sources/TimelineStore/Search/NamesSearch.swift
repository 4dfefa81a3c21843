/// Counts the entries of a timeline by the names of their events.
struct NamesSearch: SteppedSearch {
  private var position: Int64?
  private var sum = StretchSummary()

  /// Performs one step; returns the counts when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> [StretchSummary.Name]? {
    guard let ends = source.ends, let head = try source.run(from: position ?? ends.lowerBound)
    else { return sum.names }
    let all = StretchBounds(seq: .max, t: .max)
    if head.isIndexed, head.seqs == head.whole,
      let stretch = try source.stretch(beginningWith: head, within: all)
    {
      sum.add(names: stretch.summary.names)
      position = stretch.last + 1
    } else {
      if let run = try source.entries(of: head) {
        sum.add(names: TimelineIndexer.summary(of: run, in: head.seqs).names)
      }
      position = head.seqs.upperBound + 1
    }
    return position ?? 0 > ends.upperBound ? sum.names : nil
  }
}
