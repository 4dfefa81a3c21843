import Timelines

/// An entry while the outbox keeps it.
struct KeptEntry: Sendable {
  /// What an entry says of the state.
  enum Kind: Hashable, Sendable {
    /// The full state.
    case keyframe
    /// What changed since its predecessor, or nothing, as the pipeline wrote it.
    case change
    /// Nothing any more.
    case thinned
  }

  /// The memory that keeping an entry takes beside its line: the array's head, this struct, and the
  /// allocator's rounding.
  static let overhead = 96

  /// The number of the entry.
  let seq: Int64
  /// The number of the one that the pipeline wrote before it; -1 for none.
  let previous: Int64
  /// The line, without a line feed.
  let line: [UInt8]
  /// What it says of the state.
  let kind: Kind

  /// The memory that keeping it takes.
  var cost: Int { line.count + Self.overhead }
}

extension KeptEntry {
  /// The entry without its state; itself when that is the state of entry 0 or of a fixed point,
  /// which nobody could compute again; `nil` when the line is none.
  ///
  /// With `isTooLarge` the entry says how many bytes of state it omits, and a fixed point is
  /// nothing that could be sent: `nil`.
  func thinned(isTooLarge: Bool = false) -> KeptEntry? {
    guard kind != .thinned || isTooLarge else { return self }
    guard let entry = try? Entry(reading: line) else { return nil }
    if entry.isFixedPoint { return isTooLarge ? nil : self }
    if seq == 0, !isTooLarge { return self }
    var draft = EntryDraft(entry)
    let full = (draft.state?.count ?? 0) + (draft.outputState?.count ?? 0)
    let changes = (draft.patch?.count ?? 0) + (draft.outputs?.count ?? 0)
    draft.thin()
    if isTooLarge { draft.omitted = Int64(full > 0 ? full : changes) }
    return KeptEntry(seq: seq, previous: previous, line: draft.line, kind: .thinned)
  }

  /// The line, saying that these entries before it were lost; `nil` when the line is none.
  func line(afterLosing lost: Int64, why: String) -> [UInt8]? {
    (try? Entry(reading: line)).map { Self.line(of: $0, afterLosing: lost, why: why) }
  }

  /// The line of an entry, saying that these entries before it were lost.
  ///
  /// What it said by itself of some of them stays in the reason.
  static func line(of entry: Entry, afterLosing lost: Int64, why: String) -> [UInt8] {
    var draft = EntryDraft(entry)
    let reasons = [why, draft.gap?.why].compactMap { $0 }
    draft.gap = Gap(lost: lost, why: reasons.joined(separator: "; "))
    return draft.line
  }
}
