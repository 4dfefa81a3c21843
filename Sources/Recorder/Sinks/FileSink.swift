import JSONCore
import Synchronization
package import Timelines

/// Writes `.timeline` files: one for each machine in a folder, or one of a given name.
///
/// Each batch is handed to the operating system at once, so that a file can be read after the
/// process was killed. An existing file is never touched: a name that is taken gets a number. When
/// the disk is full entries are lost and counted, and the file goes on with a gap as soon as there
/// is room.
package final class FileSink: CountingSink, Sendable {
  private let contents: Mutex<Contents>
  private let log: @Sendable (String) -> Void

  fileprivate struct Contents: Sendable {
    let place: FilePlace
    var files: [TimelineID: TimelineLog] = [:]
    var lost = 0
    var lastError: String?
    var hasTold = false
  }

  /// A sink that writes to a path: a file when it ends in `.timeline`, else a folder.
  package init(_ path: String, log: @escaping @Sendable (String) -> Void) {
    contents = Mutex(Contents(place: FilePlace(path)))
    self.log = log
  }

  package func open(_ header: Header) {
    tell(
      contents.withLock { contents -> String? in
        guard contents.files[header.timeline] == nil else { return nil }
        let (file, problem) = contents.place.create(for: header)
        contents.files[header.timeline] = TimelineLog(file, header: header)
        return contents.note(problem)
      })
  }

  package func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID) {
    tell(
      contents.withLock { contents -> String? in
        guard var log = contents.files.removeValue(forKey: timeline) else { return nil }
        let before = log.lost
        let problem = log.append(entries)
        contents.lost += log.lost - before
        contents.files[timeline] = log
        return contents.note(problem)
      })
  }

  package func close(_ timeline: TimelineID, gap: Gap?) {
    contents.withLock { _ = $0.files.removeValue(forKey: timeline) }
  }

  package func add(to statistics: inout RecorderStatistics) {
    contents.withLock { contents in
      statistics.lost += contents.lost
      statistics.lastError = contents.lastError ?? statistics.lastError
    }
  }

  /// Says the first problem in the log; the others are counted.
  private func tell(_ problem: String?) {
    if let problem { log(problem) }
  }
}

extension FileSink.Contents {
  /// Remembers a problem; answers it when it is the first.
  fileprivate mutating func note(_ problem: String?) -> String? {
    guard let problem else { return nil }
    lastError = problem
    defer { hasTold = true }
    return hasTold ? nil : problem
  }
}

/// The lines of one timeline on their way into a file.
private struct TimelineLog: Sendable {
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

/// Where timelines get their files.
struct FilePlace: Sendable {
  private let path: String
  private let isFolder: Bool

  /// A file when the path ends in `.timeline` and is no folder; else a folder.
  init(_ path: String) {
    let isFile = path.hasSuffix(".timeline") && !Recorder.isFolder(path)
    isFolder = !isFile
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// How many names are tried: far more recordings than a folder is good for.
  private static let nameLimit = 10_000

  /// Creates the file of a timeline; without one, a sentence says why.
  func create(for header: Header) -> (TimelineFileHandle?, String?) {
    if isFolder, !makeFolder(path) {
      return (nil, "The folder \(path) for recordings cannot be made: \(systemErrorText()).")
    }
    for number in 1...Self.nameLimit {
      if let file = TimelineFileHandle.create(name(number, header)) { return (file, nil) }
      guard lastErrorIsFileExists() else { break }
    }
    return (nil, "A recording in \(path) cannot be created: \(systemErrorText()).")
  }

  private func name(_ number: Int, _ header: Header) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    guard isFolder else { return "\(path.dropLast(".timeline".count))\(suffix).timeline" }
    // What is not a letter or a digit may mean something to a shell or a file system.
    let name = header.machine.name.unicodeScalars.prefix(80).map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "-"
    }
    let stem = name.isEmpty ? "machine" : name.joined()
    return "\(path)/\(stem)\(suffix).timeline"
  }
}
