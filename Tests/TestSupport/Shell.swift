import Foundation

/// Runs commands as if a user pasted them.
package enum Shell {
  /// Runs a command and waits for it.
  ///
  /// - Parameter words: Its positional parameters, from `$1` on.
  /// - Returns: Its exit status.
  package static func run(_ command: String, _ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command, "sh"] + words
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
