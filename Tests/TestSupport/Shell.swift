import Foundation

/// Runs commands as a user pastes them.
package enum Shell {
  /// Runs a command and waits for it.
  ///
  /// - Parameter words: its positional parameters, from `$1` on.
  /// - Returns: the status with which it ended.
  package static func run(_ command: String, _ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command, "sh"] + words
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
