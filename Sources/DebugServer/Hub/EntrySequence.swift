internal import TimelineStore
package import Timelines

/// The end of a timeline, and what may follow: the rules between entries, without their values.
///
/// It does not check that patches apply, because that would need the state of every timeline.
package struct EntrySequence: Hashable, Sendable {
  /// The last seq; -1 when there is no entry.
  package private(set) var last: Int64 = -1

  /// The time of the last entry.
  package private(set) var t: Int64 = 0

  /// Whether the state after the last entry is known.
  package private(set) var isStateKnown = false

  package init() {}

  /// A timeline as the store opened it.
  init(_ opened: Opened) {
    last = opened.durable ?? -1
    t = opened.t
    isStateKnown = opened.isStateKnown
  }

  /// A timeline that ends with an entry.
  package init(after entry: Entry) {
    advance(to: entry)
  }

  /// Adds the next entry, or throws the rule that it breaks.
  package mutating func append(_ entry: Entry) throws(TimelineError) {
    try checkSeq(of: entry)
    guard entry.t >= t else { throw TimelineError(.timeDecreases(from: t), at: entry.seq) }
    let isBaseKnown = isStateKnown && entry.gap == nil
    if entry.isKeyframe {
      guard !isBaseKnown || entry.patch != nil else {
        throw TimelineError(.changesMissing, at: entry.seq)
      }
    } else if !entry.isThinned, !isBaseKnown {
      throw TimelineError(.patchWithoutBase, at: entry.seq)
    }
    advance(to: entry)
  }

  private func checkSeq(of entry: Entry) throws(TimelineError) {
    try entry.checkNumbers()
    guard entry.seq > last else { throw TimelineError(.notAfter(last: last), at: entry.seq) }
    guard let gap = entry.gap else {
      guard entry.seq - 1 == last else {
        throw TimelineError(.skips(expected: last + 1), at: entry.seq)
      }
      return
    }
    // Not `last + lost + 1`, which could overflow.
    guard entry.seq - last - 1 == gap.lost else {
      let (sum, overflow) = (last + 1).addingReportingOverflow(gap.lost)
      throw TimelineError(
        .gapDoesNotFit(lost: gap.lost, expected: overflow ? nil : sum), at: entry.seq)
    }
  }

  private mutating func advance(to entry: Entry) {
    last = entry.seq
    t = entry.t
    isStateKnown = !entry.isThinned
  }
}
