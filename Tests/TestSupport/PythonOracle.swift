import Foundation

/// Runs Python programs in `Tests/Oracles`, whose libraries give the expected answers.
///
/// A program reads the lines of a file, and prints one line for each. One process
/// answers a whole batch, because starting it takes longer than thousands of answers.
public enum PythonOracle {
  /// An error of the oracle itself, which makes the test invalid.
  public struct Failure: Error, CustomStringConvertible {
    /// The message, with the program's output.
    public let description: String
  }

  /// The time limit of a program, much longer than the slowest one takes.
  private static let launcher = """
    import faulthandler, runpy, sys
    faulthandler.dump_traceback_later(120, exit=True)
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
    """

  /// Returns a program's answer to each line.
  ///
  /// The interpreter is `TEST_PYTHON` (default: `python3`).
  public static func answers(of program: String, to lines: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appending(path: "questions")
    let complaints = folder.appending(path: "complaints")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
    try Data().write(to: complaints)

    let process = Process()
    let python = ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? "python3"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      python, "-B", "-c", launcher,
      repositoryRoot.appending(path: "Tests/Oracles/\(program)").path, input.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: complaints)
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let words = try String(decoding: Data(contentsOf: complaints), as: UTF8.self)
      throw Failure(
        description: """
          the oracle \(program) failed with \(python): \(words)
          To fix a missing module, run scripts/test, which installs it, or set TEST_PYTHON.
          """)
    }
    let answers = String(decoding: answer, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    guard answers.count == lines.count else {
      throw Failure(
        description: "the oracle \(program) gave \(answers.count) answers to \(lines.count) lines")
    }
    return answers
  }
}
