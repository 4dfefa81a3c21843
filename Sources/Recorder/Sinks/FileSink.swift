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
