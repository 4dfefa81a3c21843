internal import Foundation
internal import Timelines

/// The file in which a waiting daemon names the one that serves its database, for commands.
struct StandbyFile: Sendable {
  private let file: PrivateFile

  init(data: String) {
    file = PrivateFile(data + "/standby")
  }

  /// Which daemon this process waits for.
  func write(_ host: String) throws(PrivateFileError) {
    try file.replace(with: Array("\(getpid())\n\(host)\n".utf8))
  }

  func remove() { unlink(file.path) }

  /// The host that a process waits for; `nil` if it does not wait.
  ///
  /// A file that a killed process left has another number than the process that has the data now.
  func host(ofProcess pid: Int64) -> String? {
    guard let bytes = try? file.read(limit: 4_096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 2, Int64(lines[0]) == pid else { return nil }
    return String(lines[1])
  }
}
