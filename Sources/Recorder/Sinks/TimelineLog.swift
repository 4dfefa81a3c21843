import JSONCore
import Timelines

/// The lines of one timeline on their way into a file.
struct TimelineLog: Sendable {
  private var file: TimelineFileHandle?
  private var hasHeader = false
  private let header: Header
  /// The seq of the last entry that was written.
  private var lastSeq: Int64 = -1
  /// Whether patches have no base, because entries are missing.
  private var isBaseLost = false
  /// Whether the next entry should hold the full state.
  private var wantsKeyframe = false
  /// How many were lost altogether.
  private(set) var lost = 0

  init(_ header: Header) {
    self.header = header
  }

  /// Whether there is a file.
  var hasFile: Bool { file != nil }

  /// Creates the file with its header, when there is none yet; a sentence when that went wrong.
  mutating func create(in place: FilePlace) -> String? {
    guard file == nil else { return nil }
    let problem: String?
    (file, problem) = place.create(for: header)
    // Where there is no room for the header yet, it comes with the first entries.
    hasHeader = file?.append(headerLine) ?? false
    return problem
  }

  private var headerLine: [UInt8] { Array(header.line.bytes) + [UInt8(ascii: "\n")] }

  /// Notes that entries were not written.
  mutating func lose(_ count: Int) {
    lost += count
    isBaseLost = true
  }

  /// Whether a full state is wanted since it was asked last, so that patches have a base again.
  mutating func takeKeyframeRequest() -> Bool {
    defer { wantsKeyframe = false }
    return wantsKeyframe
  }

  /// Writes entries; a sentence when that went wrong.
  mutating func append(_ entries: ArraySlice<WrittenEntry>) -> String? {
    guard let file else { return nil }
    var bytes = hasHeader ? [] : headerLine
    var (lastSeq, isBaseLost) = (lastSeq, isBaseLost)
    for entry in entries {
      bytes += isBaseLost ? mended(entry, after: lastSeq) : entry.line
      bytes.append(UInt8(ascii: "\n"))
      isBaseLost = isBaseLost && !entry.isKeyframe
      lastSeq = entry.seq
    }
    guard file.append(bytes) else {
      let problem = systemErrorText()
      lose(entries.count)
      return "A recording cannot be written: \(problem)."
    }
    hasHeader = true
    (self.lastSeq, self.isBaseLost, wantsKeyframe) = (lastSeq, isBaseLost, isBaseLost)
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
