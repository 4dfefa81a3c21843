import Foundation

/// A daemon process with temporary data.
///
/// Expects `debugd` next to this program in the build folder.
struct IngestDaemon: Sendable {
  /// The folder of its data.
  let folder: String
  private let process: Int32

  /// The socket for recorders.
  var socket: String { folder + "/run/recorder.sock" }

  /// Starts it, and waits until recorders can connect.
  ///
  /// - Parameters:
  ///   - folder: Existing data, which is removed at the end (default: a new folder).
  ///   - options: Additional command line options.
  init(folder: String? = nil, options: [String] = []) throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/debugd"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkError(
        "there is no debugd next to the benchmarks; to build it, run scripts/bench")
    }
    // Short, because the path of a Unix socket has at most 107 bytes.
    self.folder = folder ?? "/tmp/ingest-\(UInt32.random(in: .min ... .max))"
    let daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: program)
    daemon.arguments =
      [
        "serve", "--data", self.folder, "--listen", "127.0.0.1:0", "--log-level", "error",
      ] + options
    daemon.standardInput = FileHandle.nullDevice
    try daemon.run()
    process = daemon.processIdentifier
    let deadline = ContinuousClock.now + .seconds(20)
    while !FileManager.default.fileExists(atPath: socket) {
      guard daemon.isRunning, ContinuousClock.now < deadline else {
        end()
        throw BenchmarkError("debugd did not start to listen")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// The daemon's peak memory.
  func peakMegabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { throw BenchmarkError("the system does not report the memory of debugd") }
    return kilobytes / 1_024
  }

  /// Ends the daemon and removes its data.
  func end() {
    kill(process, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
