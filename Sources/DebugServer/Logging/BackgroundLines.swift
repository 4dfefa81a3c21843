internal import Dispatch
internal import Synchronization

/// Writes log lines on a thread of its own, so that the daemon never waits for the reader of its log:
/// a terminal that is paused, a pipe that nothing reads.
///
/// Lines that do not fit are dropped, the newest first, and counted: the first ones explain what
/// happened.
final class BackgroundLines: Sendable {
  /// The maximum bytes of waiting lines: thousands of lines, far more than a burst.
  static let maximumBytes = 1 << 20

  private struct Contents {
    var waiting: [String] = []
    var bytes = 0
    var dropped = 0
    var isWriting = false

    mutating func append(_ line: String) {
      if let report = removeReport() { waiting.append(report) }
      waiting.append(line)
      bytes += line.utf8.count
    }

    mutating func removeReport() -> String? {
      guard dropped > 0 else { return nil }
      defer { dropped = 0 }
      let (lines, were) = dropped == 1 ? ("log line", "was") : ("log lines", "were")
      return "\(dropped) \(lines) \(were) dropped: the reader of the log did not keep up.\n"
    }

    /// The lines to write next; none once everything is written.
    mutating func removeWaiting() -> [String] {
      if waiting.isEmpty, let report = removeReport() { return [report] }
      isWriting = !waiting.isEmpty
      bytes = 0
      defer { waiting = [] }
      return waiting
    }
  }

  private let lines: DescriptorLines
  private let contents = Mutex(Contents())
  /// Its thread exists only while there is something to write.
  private let queue = DispatchQueue(label: "log")

  init(_ descriptor: Int32) { lines = DescriptorLines(descriptor) }

  /// Writes a line soon, or drops it; never waits.
  func write(_ line: String) {
    let begins = contents.withLock { contents in
      guard contents.bytes < Self.maximumBytes else {
        contents.dropped += 1
        return false
      }
      contents.append(line)
      defer { contents.isWriting = true }
      return !contents.isWriting
    }
    if begins { queue.async { self.writeAll() } }
  }

  /// Waits until everything is written, or for so long.
  func flush(within milliseconds: Int) {
    let written = DispatchGroup()
    queue.async(group: written) {}
    _ = written.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  private func writeAll() {
    while true {
      let some = contents.withLock { $0.removeWaiting() }
      if some.isEmpty { return }
      for line in some { lines.write(line) }
    }
  }
}
