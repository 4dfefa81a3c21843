import Timelines

struct BufferedEntry: Sendable {
  /// What an entry contains of the state.
  enum Kind: Hashable, Sendable {
    /// The full state.
    case keyframe
    /// The changes since its predecessor, or nothing, as the pipeline wrote it.
    case change
    /// Nothing anymore.
    case thinned
  }

  /// The memory of an entry in addition to its line: the array header, this struct, and the
  /// allocator's rounding.
  static let overhead = 96

  let seq: Int64
  /// The number of the entry that the pipeline wrote before it; -1 for none.
  let previous: Int64
  /// The line, without a line feed.
  let line: [UInt8]
  /// What it contains of the state.
  let kind: Kind

  /// The memory that it needs.
  var cost: Int { line.count + Self.overhead }
}

extension BufferedEntry {
  /// Returns the entry without its state. Entry 0 and fixed points keep their state, which cannot
  /// be computed again. Returns `nil` if the line is not an entry.
  ///
  /// With `isTooLarge` the entry says how many bytes of state it omits. A fixed point without its
  /// state cannot be sent, so then the result is `nil`.
  func thinned(isTooLarge: Bool = false) -> BufferedEntry? {
    guard kind != .thinned || isTooLarge else { return self }
    guard let entry = try? Entry(reading: line) else { return nil }
    if entry.isFixedPoint { return isTooLarge ? nil : self }
    if seq == 0, !isTooLarge { return self }
    var draft = EntryDraft(entry)
    let full = (draft.state?.count ?? 0) + (draft.outputState?.count ?? 0)
    let changes = (draft.patch?.count ?? 0) + (draft.outputs?.count ?? 0)
    draft.thin()
    if isTooLarge { draft.omitted = Int64(full > 0 ? full : changes) }
    return BufferedEntry(seq: seq, previous: previous, line: draft.line, kind: .thinned)
  }

  /// Returns the line with a gap for lost entries before it; `nil` if the line is not an entry.
  func line(afterLosing lost: Int64, why: String) -> [UInt8]? {
    (try? Entry(reading: line)).map { Self.line(of: $0, afterLosing: lost, why: why) }
  }

  /// Returns the line of an entry with a gap for lost entries before it.
  ///
  /// If the entry has a gap already, its reason is kept.
  static func line(of entry: Entry, afterLosing lost: Int64, why: String) -> [UInt8] {
    var draft = EntryDraft(entry)
    let reasons = [why, draft.gap?.why].compactMap { $0 }
    draft.gap = Gap(lost: lost, why: reasons.joined(separator: "; "))
    return draft.line
  }
}
