import Replaying
import Synchronization
package import Timelines

/// Writes `.timeline` files: one for each machine in a folder, or one with a given name.
///
/// Each batch is passed to the operating system immediately, so that the file is readable after the
/// process was killed. An existing file is never touched: if a name is taken, the file gets a
/// number, and so does a file that is deleted, replaced, or changed while the machine runs. At most
/// 256 files are open at a time. While the disk is full, entries are lost and counted, and the file
/// continues with a gap and a full state once there is room. A file that could not be created is
/// created later in the same way.
package final class FileSink: CountingSink, BufferingSink, ReportingSink {
  private let contents: ForkSafeMutex<Contents>
  private let files: OpenFiles
  private let log: @Sendable (String) -> Void

  fileprivate struct Contents: Sendable {
    let location: FileLocation
    var files: [TimelineID: TimelineLog] = [:]
    /// The timelines that need a full state.
    var keyframeRequests: Set<TimelineID> = []
    var lost = 0
    var lastError: String?
    var hasReported = false
    /// The number of losses that were mentioned in a log line.
    var reportedLosses = 0
  }

  /// Creates a sink that writes to a path: a file if it ends in `.timeline`, otherwise a folder.
  package init(
    _ path: String, maximumOpenFiles: Int = OpenFiles.usualMaximum,
    log: @escaping @Sendable (String) -> Void
  ) {
    files = OpenFiles(maximum: maximumOpenFiles)
    contents = ForkSafeMutex(Contents(location: FileLocation(path, files: files)))
    self.log = log
  }

  package var openFiles: Int { files.count }

  package func open(_ header: Header) {
    logProblem(
      contents.withLock { contents -> String? in
        guard contents.files[header.timeline] == nil else { return nil }
        var log = TimelineLog(header)
        let problem = log.create(in: contents.location)
        contents.files[header.timeline] = log
        return contents.recordProblem(problem)
      })
  }

  package func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID) {
    logProblem(
      contents.withLock { contents -> String? in
        guard var log = contents.files.removeValue(forKey: timeline) else { return nil }
        let before = log.lost
        let problem = log.append(entries, in: contents.location)
        contents.lost += log.lost - before
        if log.consumeKeyframeRequest() { contents.keyframeRequests.insert(timeline) }
        contents.files[timeline] = log
        return contents.recordProblem(problem)
      })
  }

  package func close(_ timeline: TimelineID, gap: Gap?) {
    contents.withLock { _ = $0.files.removeValue(forKey: timeline) }
  }

  package func drainRequests() -> [SinkRequest] {
    contents.withLock { contents in
      guard !contents.keyframeRequests.isEmpty else { return [] }
      defer { contents.keyframeRequests = [] }
      return contents.keyframeRequests.map { .keyframe($0) }
    }
  }

  // The operating system already has everything.
  package func flush(within time: Duration) -> Bool { true }
  package func finish(within time: Duration) { reportUnsent("", isOver: true) }
  package func handOver(within time: Duration) -> Bool { true }

  package func reportUnsent(_ why: String, isOver: Bool) {
    logProblem(contents.withLock { $0.lossMessage() })
  }

  package func add(to statistics: inout RecorderStatistics) {
    contents.withLock { contents in
      statistics.lost += contents.lost
      statistics.lastError = contents.lastError ?? statistics.lastError
    }
  }

  private func logProblem(_ problem: String?) {
    if let problem { log(problem) }
  }
}

extension FileSink.Contents {
  /// Describes how many entries are in no file, and why; nil if that was reported already.
  fileprivate mutating func lossMessage() -> String? {
    guard lost > reportedLosses else { return nil }
    reportedLosses = lost
    let verb = lost == 1 ? "is" : "are"
    return """
      \(Counted.entries(lost)) \(verb) missing from the recordings in \(location.path): \
      \(lastError ?? "")
      """
  }

  /// Stores a problem, and returns it if it is the first.
  fileprivate mutating func recordProblem(_ problem: String?) -> String? {
    guard let problem else { return nil }
    lastError = problem
    defer { hasReported = true }
    return hasReported ? nil : problem
  }
}
