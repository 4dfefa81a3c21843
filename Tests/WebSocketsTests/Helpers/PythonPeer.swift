import Foundation
import TestSupport

/// A program of `Tests/Oracles` that runs during a test.
///
/// Its first line of output is its address.
final class PythonPeer {
  /// It did not start.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let input = Pipe()
  let line: String

  init(_ program: String, _ arguments: [String] = []) throws {
    let python = ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? "python3"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [python, "-B", repositoryRoot.appending(path: "Tests/Oracles/\(program)").path] + arguments
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1)?.first else {
        throw Failure(
          description: "\(program) ended before it printed its address; run scripts/test once")
      }
      bytes.append(byte)
    }
    line = String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
