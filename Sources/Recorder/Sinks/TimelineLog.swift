import JSONCore
import Timelines

/// The lines of one timeline on their way into a file.
struct TimelineLog: Sendable {
  private let file: TimelineFileHandle?
  private var hasHeader = false
  private let header: [UInt8]
  /// The seq of the last entry that was written.
  private var lastSeq: Int64 = -1
  /// Whether patches have no base, because entries are missing.
  private var isBaseLost = false
  /// How many were lost altogether.
  private(set) var lost = 0

  init(_ file: TimelineFileHandle?, header: Header) {
    self.file = file
    self.header = Array(header.line.bytes) + [UInt8(ascii: "\n")]
  }

  /// Writes entries; a sentence when that went wrong.
  mutating func append(_ entries: ArraySlice<WrittenEntry>) -> String? {
    guard let file else {
      lost += entries.count
      return nil
    }
    var bytes: [UInt8] = hasHeader ? [] : header
    var (lastSeq, isBaseLost) = (lastSeq, isBaseLost)
    for entry in entries {
      bytes += isBaseLost ? mended(entry, after: lastSeq) : entry.line
      bytes.append(UInt8(ascii: "\n"))
      isBaseLost = isBaseLost && !entry.isKeyframe
      lastSeq = entry.seq
    }
    guard file.append(bytes) else {
      let problem = systemErrorText()
      self.isBaseLost = true
      lost += entries.count
      return "A recording cannot be written: \(problem)."
    }
    hasHeader = true
    (self.lastSeq, self.isBaseLost) = (lastSeq, isBaseLost)
    return nil
  }

  /// The line of an entry whose predecessors are not in the file: with a gap, and without a patch
  /// that has no base.
  private func mended(_ written: WrittenEntry, after last: Int64) -> [UInt8] {
    guard let entry = try? Entry(reading: written.line) else { return written.line }
    var draft = EntryDraft(entry)
    if entry.seq > last + 1 {
      let why = ["there was no room for the file", draft.gap?.why].compactMap(\.self)
      draft.gap = Gap(lost: entry.seq - last - 1, why: why.joined(separator: "; "))
    }
    if written.isKeyframe {
      (draft.patch, draft.outputs) = (nil, nil)
    } else {
      draft.thin()
    }
    return draft.line
  }
}
