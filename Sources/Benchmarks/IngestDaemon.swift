import Foundation

/// A daemon process with temporary data.
///
/// Expects `debugd` next to this program in the build folder.
struct IngestDaemon: Sendable {
  /// The folder of its data.
  let folder: String
  private let process: Int32

  var socket: String { folder + "/run/recorder.sock" }

  /// Starts it, and waits until recorders can connect.
  ///
  /// - Parameters:
  ///   - folder: Existing data, which is removed at the end (default: a new folder).
  ///   - options: Additional command line options.
  init(folder: String? = nil, options: [String] = []) throws {
    let program = try Self.program()
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

  private static func program() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/debugd"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkError(
        "there is no debugd next to the benchmarks; to build it, run scripts/bench")
    }
    return program
  }

  /// Imports a file into the running daemon.
  func importFile(_ path: String) throws {
    let command = Process()
    command.executableURL = URL(fileURLWithPath: try Self.program())
    command.arguments = ["import", path, "--data", folder]
    command.standardOutput = FileHandle.nullDevice
    try command.run()
    command.waitUntilExit()
    guard command.terminationStatus == 0 else {
      throw BenchmarkError("debugd cannot import \(path)")
    }
  }

  func peakMegabytes() throws -> Double { try megabytes("VmHWM:") }

  func residentMegabytes() throws -> Double { try megabytes("VmRSS:") }

  /// The sum of the peaks of the daemon and of the hosts that it has started.
  func peakMegabytesWithHosts() throws -> Double {
    let threads = "/proc/\(process)/task"
    let hosts = try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
      try String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { Int32($0) }
    }
    // One that has ended and was not waited for has no memory.
    return hosts.reduce(try peakMegabytes()) { $0 + ((try? megabytes("VmHWM:", of: $1)) ?? 0) }
  }

  private func megabytes(_ name: String) throws -> Double { try megabytes(name, of: process) }

  private func megabytes(_ name: String, of process: Int32) throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { throw BenchmarkError("the system does not report the memory of debugd") }
    return kilobytes / 1_024
  }

  /// The daemon's processor time since it started.
  func processorSeconds() throws -> Double {
    guard let seconds = ProcessorClock.seconds(ofProcess: process) else {
      throw BenchmarkError("debugd has ended")
    }
    return seconds
  }

  /// Waits until the daemon has nothing left to do in the background.
  func finishWork() async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var last = try processorSeconds()
    while ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(50))
      let now = try processorSeconds()
      // A hundredth of a processor is housekeeping.
      if now - last < 0.000_5 { return }
      last = now
    }
    throw BenchmarkError("debugd did not become idle within a minute")
  }

  /// Ends the daemon and removes its data.
  func end() {
    kill(process, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
