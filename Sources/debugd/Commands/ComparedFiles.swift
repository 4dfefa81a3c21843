import JSONCore
import Timelines

/// What `compare` compares: timelines of the daemon, files, or one of each.
enum ComparedFiles {
  /// Lends an inquiry to the command. If one of two operands is a file, the other one is, too: what the
  /// daemon has is exported for it.
  static func use(
    _ arguments: ParsedArguments, _ terminal: Terminal,
    _ body: @escaping (Inquiry) async throws -> ExitCode
  ) async throws -> ExitCode {
    guard let first = arguments.operand(0), let second = arguments.operand(1),
      try FileTimelines.isFile(first) != FileTimelines.isFile(second)
    else { return try await Inquiry.run(arguments, terminal, body) }
    func file(
      _ word: String, _ body: (String) async throws -> ExitCode
    ) async throws -> ExitCode {
      var alone = arguments
      alone.operands = [word]
      return try await RecordingFile.use(word, alone, terminal, body)
    }
    return try await file(first) { first in
      try await file(second) { second in
        var both = arguments
        both.operands = [first, second]
        return try await Inquiry.run(both, terminal, body)
      }
    }
  }
}

extension Inquiry {
  /// What to say about two timelines of different machines; `nil` if they are of the same type.
  func remarkOnMachines(_ first: TimelineID, _ second: TimelineID) async throws -> String? {
    let types = (try await machineType(of: first), try await machineType(of: second))
    guard types.0 != types.1 else { return nil }
    return Escaped.text(
      "These are recordings of different machines: \(types.0) and \(types.1).")
  }
}
