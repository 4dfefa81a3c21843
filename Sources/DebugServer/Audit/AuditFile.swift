internal import Dispatch
internal import Foundation
internal import Synchronization
package import Timelines

/// Appends what sessions did to a file that only its owner can read. The daemon never waits for it.
///
/// The file is created with its first entry. Before it would exceed its limit, it is renamed, and
/// replaces the one before it.
package final class AuditFile: Sendable {
  /// The maximum number of entries that wait for the disk.
  private static let maximumWaiting = 8_192

  private struct State {
    var waiting = 0
    /// The entries that were not written since the last one that was.
    var missing = 0
  }

  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Timestamp
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "audit")

  /// The file at a path; nothing is written yet.
  ///
  /// - Parameters:
  ///   - limit: the maximum length in bytes.
  ///   - report: receives why an entry cannot be written, once until one can be.
  package init(
    _ path: String, limit: Int = 8 << 20, now: @escaping @Sendable () -> Timestamp = { .now },
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.path, self.limit, self.now, self.report) = (path, limit, now, report)
  }

  /// Writes an entry soon.
  package func append(_ entry: AuditEntry) {
    let line = entry.line(at: now())
    let isRoom = state.withLock { state in
      guard state.waiting < Self.maximumWaiting else {
        state.missing += 1
        return false
      }
      state.waiting += 1
      return true
    }
    guard isRoom else { return }
    queue.async { self.write(line) }
  }

  /// Waits until everything that was appended is written, or for so long.
  package func flush(within milliseconds: Int) {
    let written = DispatchGroup()
    queue.async(group: written) {}
    _ = written.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  private func write(_ line: String) {
    let missing = state.withLock { $0.missing }
    let note = missing > 0 ? "{\"event\":\"audit.missing\",\"count\":\(missing)}\n" : ""
    let problem = appendToFile(Array((note + line).utf8))
    let isFirst = state.withLock { state in
      state.waiting -= 1
      let isFirst = state.missing == missing && missing == 0
      state.missing = problem == nil ? state.missing - missing : state.missing + 1
      return isFirst
    }
    if let problem, isFirst {
      report("The audit file cannot be written: \(problem). The daemon continues without it.")
    }
  }

  /// Returns what failed.
  private func appendToFile(_ bytes: [UInt8]) -> String? {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return Self.reason() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Self.reason() }
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
    var length = status.st_size
    if status.st_size > 0, status.st_size > Int64(limit) - Int64(bytes.count) {
      guard rename(path, path + ".1") == 0 else { return Self.reason() }
      let next = open(path, flags | O_EXCL, 0o600)
      guard next >= 0 else { return Self.reason() }
      close(descriptor)
      (descriptor, length) = (next, 0)
    }
    if Self.write(bytes, to: descriptor) { return nil }
    let reason = Self.reason()
    // The beginning of a line would make the next one unreadable.
    _ = ftruncate(descriptor, length)
    return reason
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let rest = Array(bytes[written...])
      let count = Foundation.write(descriptor, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
