import Foundation

/// The program that tests start, kill, and trap; built next to the tests' bundle.
public enum ProbeExecutable {
  /// Its path; throws an error if it is missing.
  public static var path: String {
    // The test runner is `…/debug/<package>PackageTests.xctest`, or is in a folder of that name.
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appending(path: "RecorderProbe").path(percentEncoded: false)
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return "RecorderProbe was not found beside \(CommandLine.arguments[0])"
  }
}
