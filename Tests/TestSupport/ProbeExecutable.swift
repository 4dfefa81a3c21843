import Foundation

/// The program that tests start, kill and trap: built beside the tests' own bundle.
public enum ProbeExecutable {
  /// Its path; a sentence where it was not found.
  public static var path: String {
    // The test runner is `…/debug/<package>PackageTests.xctest`, or lies in a folder of that name.
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appending(path: "RecorderProbe").path(percentEncoded: false)
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return "RecorderProbe was not found beside \(CommandLine.arguments[0])"
  }
}
