import JSONCore
import Timelines

/// Writes the lines of one timeline to a file.
struct TimelineLog: Sendable {
  private var file: TimelineFileHandle?
  private var hasHeader = false
  private let header: Header
  /// The seq of the last written entry.
  private var lastSeq: Int64 = -1
  /// Whether the next patch has no base, because entries are missing.
  private var isBaseLost = false
  /// Whether the next entry should carry the full state.
  private var wantsKeyframe = false
  /// The number of lost entries.
  private(set) var lost = 0

  init(_ header: Header) {
    self.header = header
  }

  var hasFile: Bool { file != nil }

  /// Creates the file with its header, if there is none yet. Returns the problem, if there was one.
  mutating func create(in location: FileLocation) -> String? {
    guard file == nil else { return nil }
    let problem: String?
    (file, problem) = location.create(for: header)
    // If there is no room for the header yet, it is written with the first entries.
    hasHeader = file?.append(headerLine) ?? false
    return problem
  }

  private var headerLine: [UInt8] { Array(header.line.bytes) + [UInt8(ascii: "\n")] }

  /// Counts entries that were not written.
  mutating func countLost(_ count: Int) {
    lost += count
    isBaseLost = true
  }

  /// Returns and resets whether the next entry should carry the full state, to give patches a base
  /// again.
  mutating func consumeKeyframeRequest() -> Bool {
    defer { wantsKeyframe = false }
    return wantsKeyframe
  }

  /// Writes entries. Returns the problem, if there was one.
  mutating func append(_ entries: ArraySlice<WrittenEntry>) -> String? {
    guard let file else { return nil }
    var bytes = hasHeader ? [] : headerLine
    var (lastSeq, isBaseLost) = (lastSeq, isBaseLost)
    for entry in entries {
      bytes += isBaseLost ? repaired(entry, after: lastSeq) : entry.line
      bytes.append(UInt8(ascii: "\n"))
      isBaseLost = isBaseLost && !entry.isKeyframe
      lastSeq = entry.seq
    }
    guard file.append(bytes) else {
      let problem = systemErrorText()
      countLost(entries.count)
      return """
        The recording of \(header.machine.name) cannot be written: \(problem). To fix, record to a \
        folder with more free space.
        """
    }
    hasHeader = true
    (self.lastSeq, self.isBaseLost, wantsKeyframe) = (lastSeq, isBaseLost, isBaseLost)
    return nil
  }

  /// Returns the line of an entry whose predecessors are not in the file: with a gap, and without a
  /// patch that has no base.
  private func repaired(_ written: WrittenEntry, after last: Int64) -> [UInt8] {
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
