public import Foundation
import Synchronization

/// A program that a test starts, reads from, and ends.
public final class ChildProcess: Sendable {
  /// Its output so far.
  private final class Output: Sendable {
    let data = Mutex(Data())
    let isComplete = Mutex(false)
  }

  private let process: Process
  private let input = Pipe()
  private let said = Output()

  /// Starts a program; its standard error is the test's own unless `mergesErrors`.
  public init(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:],
    mergesErrors: Bool = false
  ) throws {
    process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    if mergesErrors { process.standardError = output }
    try process.run()
    read(output.fileHandleForReading)
  }

  /// Reads to the end on its own thread: tests that wait for a process may block all threads of
  /// the shared pool, which then calls no readability handler.
  private func read(_ output: FileHandle) {
    Thread.detachNewThread { [said] in
      while true {
        let data = output.availableData
        guard !data.isEmpty else { break }
        said.data.withLock { $0.append(data) }
      }
      said.isComplete.withLock { $0 = true }
    }
  }

  deinit { kill() }

  /// Starts a Python program of `Tests/Oracles` with the interpreter that the tests use.
  public static func python(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let python = ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? "python3"
    let path = repositoryRoot.appending(path: "Tests/Oracles/\(program)").path
    return try ChildProcess(
      URL(filePath: "/usr/bin/env"), [python, "-B", path] + arguments, mergesErrors: true)
  }

  /// The program with this name that was built with the tests.
  public static func built(_ name: String) -> URL {
    // Next to the tests' bundle, or its equivalent.
    let bundle = Bundle(for: ChildProcess.self).bundleURL
    let folder = bundle.pathExtension.isEmpty ? bundle : bundle.deletingLastPathComponent()
    return folder.appending(path: name)
  }

  /// The complete lines of its output so far.
  public var lines: [String] {
    said.data.withLock { String(decoding: $0[..<($0.lastIndex(of: 10) ?? 0)], as: UTF8.self) }
      .split(separator: "\n").map(String.init)
  }

  /// Waits for a line with this prefix.
  public func line(beginning: String) -> String? {
    var found: String?
    _ = eventually {
      found = lines.first { $0.hasPrefix(beginning) }
      return found != nil || said.isComplete.withLock { $0 }
    }
    return found ?? lines.first { $0.hasPrefix(beginning) }
  }

  /// Its process ID.
  public var identifier: Int32 { process.processIdentifier }

  /// Sends it a signal.
  public func signal(_ signal: Int32) { Foundation.kill(identifier, signal) }

  /// Kills it.
  public func kill() {
    if process.isRunning { signal(SIGKILL) }
  }

  /// Closes its standard input.
  public func closeInput() { try? input.fileHandleForWriting.close() }

  /// Waits for its end and all its output; returns the exit status, or the negated signal.
  public func end() -> Int32 {
    process.waitUntilExit()
    // Its last output may still be in the pipe.
    _ = eventually { said.isComplete.withLock { $0 } }
    return process.terminationReason == .uncaughtSignal
      ? -process.terminationStatus : process.terminationStatus
  }
}
