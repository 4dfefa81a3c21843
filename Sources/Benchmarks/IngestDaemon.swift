import Foundation

/// A daemon as a process of its own, on data that goes away with it.
///
/// `debugd` is expected beside this program, where both are built.
struct IngestDaemon: Sendable {
  /// The folder of its data.
  let folder: String
  private let process: Int32

  /// Where recorders find it.
  var socket: String { folder + "/run/recorder.sock" }

  /// Starts it, and waits until recorders can connect.
  ///
  /// - Parameters:
  ///   - folder: data that is there already, and goes away with it.
  ///   - options: what it is given on its command line, besides.
  init(folder: String? = nil, options: [String] = []) throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/debugd"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkError("there is no debugd beside the benchmarks; scripts/bench builds it")
    }
    // Short: the path of a Unix socket has at most 107 bytes.
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
        throw BenchmarkError("debugd did not begin to listen")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// The most memory that it had at once.
  func peakMegabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { throw BenchmarkError("the system does not say how much memory debugd has") }
    return kilobytes / 1_024
  }

  /// Ends it and removes its data.
  func end() {
    kill(process, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
