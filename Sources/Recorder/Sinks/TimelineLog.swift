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
  /// Why entries are missing in the file.
  private var lossReason = "there was no room for the file"
  private var isBeginningAgain = false
  /// The number of lost entries.
  private(set) var lost = 0

  init(_ header: Header) {
    self.header = header
  }

  /// Creates the file with its header, if there is none yet. Returns the problem, if there was one.
  mutating func create(in location: FileLocation) -> String? {
    guard file == nil else { return nil }
    let problem: String?
    (file, problem) = location.create(for: header)
    // If there is no room for the header yet, it is written with the first entries.
    hasHeader = file?.append(headerLine) == .written
    return problem
  }

  private var headerLine: [UInt8] { Array(header.line.bytes) + [UInt8(ascii: "\n")] }

  /// Counts entries that were not written.
  private mutating func countLost(_ count: Int) {
    lost += count
    isBaseLost = true
    if lastSeq >= 0 { lossReason = "there was no room for the file" }
  }

  /// Returns and resets whether the next entry should carry the full state, to give patches a base
  /// again.
  mutating func consumeKeyframeRequest() -> Bool {
    defer { wantsKeyframe = false }
    return wantsKeyframe
  }

  /// Writes entries, and creates the file if necessary. Returns the problem, if there was one.
  mutating func append(
    _ entries: ArraySlice<WrittenEntry>, in location: FileLocation
  ) -> String? {
    if let problem = create(in: location) {
      countLost(entries.count)
      return problem
    }
    switch write(entries) {
    case .written: return nil
    case .failed:
      let problem = systemErrorText(pathAdvice: "record to another folder")
      countLost(entries.count)
      return "The recording of \(header.machine.name) cannot be written: \(problem)"
    case .missing:
      guard !isBeginningAgain else {
        countLost(entries.count)
        return nil
      }
      return beginAgain(with: entries, in: location)
    }
  }

  /// Continues in another file, because this one was deleted, replaced, or changed by others.
  private mutating func beginAgain(
    with entries: ArraySlice<WrittenEntry>, in location: FileLocation
  ) -> String? {
    file = nil
    isBaseLost = isBaseLost || lastSeq >= 0
    lastSeq = -1
    lossReason = "the file before this one is gone"
    isBeginningAgain = true
    defer { isBeginningAgain = false }
    return append(entries, in: location)
  }

  private mutating func write(
    _ entries: ArraySlice<WrittenEntry>
  ) -> TimelineFileHandle.Outcome {
    guard let file else { return .missing }
    var bytes = hasHeader ? [] : headerLine
    var (lastSeq, isBaseLost) = (lastSeq, isBaseLost)
    for entry in entries {
      bytes += isBaseLost ? repaired(entry, after: lastSeq) : entry.line
      bytes.append(UInt8(ascii: "\n"))
      isBaseLost = isBaseLost && !entry.isKeyframe
      lastSeq = entry.seq
    }
    let outcome = file.append(bytes)
    guard outcome == .written else { return outcome }
    hasHeader = true
    (self.lastSeq, self.isBaseLost, wantsKeyframe) = (lastSeq, isBaseLost, isBaseLost)
    return .written
  }

  /// Returns the line of an entry whose predecessors are not in the file: with a gap, and without a
  /// patch that has no base.
  private func repaired(_ written: WrittenEntry, after last: Int64) -> [UInt8] {
    guard let entry = try? Entry(reading: written.line) else { return written.line }
    var draft = EntryDraft(entry)
    if entry.seq > last + 1 {
      let why = [lossReason, draft.gap?.why].compactMap(\.self)
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
