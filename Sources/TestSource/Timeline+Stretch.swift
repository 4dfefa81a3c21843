import JSONCore
public import Timelines

extension Timeline {
  /// Returns a part of the timeline as a timeline. It begins with the state at its first entry, and a
  /// gap says that the earlier entries are missing.
  ///
  /// ```swift
  /// func ending(of timeline: Timeline) throws -> Timeline {
  ///   try timeline.stretch(from: 40, to: nil)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - from: The seq of the state it begins with (default: the first).
  ///   - to: The last seq (default: the last).
  public func stretch(from: Int64? = nil, to: Int64? = nil) throws(TestExportError) -> Timeline {
    guard let first = firstSeq, let last = lastSeq else { throw .empty }
    let (start, end) = (max(from ?? first, first), min(to ?? last, last))
    guard start <= end else { throw .noStretch }
    if start == first, end == last { return self }
    guard case .known(let snapshot)? = moment(at: start) else {
      throw .noStartingState(seq: start)
    }
    var result = Timeline(header)
    for entry in entries(from: start, count: entries.count) {
      if entry.seq > end { break }
      do {
        if entry.seq == start {
          try result.append(Self.opening(entry, snapshot))
        } else {
          try result.append(entry)
        }
      } catch {
        // The part ends before the first entry that does not fit.
        break
      }
    }
    guard result.firstSeq != nil else { throw .noStretch }
    return result
  }

  private static func opening(_ entry: Entry, _ snapshot: Snapshot) throws -> Entry {
    var draft = EntryDraft(entry)
    draft.patch = nil
    draft.outputs = nil
    draft.omitted = nil
    draft.gap = entry.seq > 0 ? Gap(lost: entry.seq, why: "exported from here on") : nil
    draft.state = snapshot.state.encoded()[...]
    let hasOutputs = snapshot.outputs.object?.isEmpty == false
    draft.outputState = hasOutputs ? snapshot.outputs.encoded()[...] : nil
    return try draft.entry()
  }
}
