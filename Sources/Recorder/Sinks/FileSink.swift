import Replaying
import Synchronization
package import Timelines

/// Writes `.timeline` files: one for each machine in a folder, or one of a given name.
///
/// Each batch is handed to the operating system at once, so that a file can be read after the
/// process was killed. An existing file is never touched: a name that is taken gets a number. When
/// the disk is full entries are lost and counted, and the file goes on with a gap, and a full state,
/// as soon as there is room; so it begins later where it could not be created.
package final class FileSink: CountingSink, AskingSink {
  private let contents: ForkSafeMutex<Contents>
  private let log: @Sendable (String) -> Void

  fileprivate struct Contents: Sendable {
    let place: FilePlace
    var files: [TimelineID: TimelineLog] = [:]
    /// Those that want a full state.
    var wanting: Set<TimelineID> = []
    var lost = 0
    var lastError: String?
    var hasTold = false
  }

  /// A sink that writes to a path: a file when it ends in `.timeline`, else a folder.
  package init(_ path: String, log: @escaping @Sendable (String) -> Void) {
    contents = ForkSafeMutex(Contents(place: FilePlace(path)))
    self.log = log
  }

  package func open(_ header: Header) {
    tell(
      contents.withLock { contents -> String? in
        guard contents.files[header.timeline] == nil else { return nil }
        var log = TimelineLog(header)
        let problem = log.create(in: contents.place)
        contents.files[header.timeline] = log
        return contents.note(problem)
      })
  }

  package func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID) {
    tell(
      contents.withLock { contents -> String? in
        guard var log = contents.files.removeValue(forKey: timeline) else { return nil }
        let before = log.lost
        let problem = log.create(in: contents.place) ?? log.append(entries)
        if !log.hasFile { log.lose(entries.count) }
        contents.lost += log.lost - before
        if log.takeKeyframeRequest() { contents.wanting.insert(timeline) }
        contents.files[timeline] = log
        return contents.note(problem)
      })
  }

  package func close(_ timeline: TimelineID, gap: Gap?) {
    contents.withLock { _ = $0.files.removeValue(forKey: timeline) }
  }

  package func takeRequests() -> [SinkRequest] {
    contents.withLock { contents in
      guard !contents.wanting.isEmpty else { return [] }
      defer { contents.wanting = [] }
      return contents.wanting.map { .keyframe($0) }
    }
  }

  // The operating system has everything at once.
  package func flush(within time: Duration) -> Bool { true }
  package func finish(within time: Duration) {}
  package func handOver(within time: Duration) -> Bool { true }

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
