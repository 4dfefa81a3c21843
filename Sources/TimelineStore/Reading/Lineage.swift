package import Timelines

/// The rows that hold the entries of a timeline: its own, and for a branch those of its ancestors.
package struct Lineage: Sendable {
  /// A stretch of seqs that one row holds.
  package struct Step: Hashable, Sendable {
    /// The timeline's row.
    package var row: Int64
    /// The seqs to read from it; the last step has no end.
    package var seqs: ClosedRange<Int64>
  }

  package let id: TimelineID

  /// The stretches in order; the last one is the timeline's own.
  package let steps: [Step]

  /// The row of the timeline itself.
  package var row: Int64 { steps.last?.row ?? 0 }

  /// The step that holds a seq's entry, or the entries right after it.
  func index(of seq: Int64) -> Int {
    steps.firstIndex { $0.seqs.upperBound >= seq } ?? steps.count - 1
  }
}
