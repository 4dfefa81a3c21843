import DebugServer
import Foundation
import Timelines
import Wire

extension CommandSpec {
  static let bisect = CommandSpec(
    name: "bisect", summary: "find the commit that changed what a recording does",
    operands: [
      Operand(
        name: "TIMELINE",
        summary: "a .timeline file, a .json fixture, or a timeline of the daemon",
        completion: .files),
      Operand(
        name: "GOOD..BAD", summary: "two commits; what changed came after the first"),
    ],
    options: [
      .value("build", nil, "COMMAND", "a shell command that builds a commit, run in its worktree"),
      .value(
        "host", nil, "EXE",
        "the executable that runs the reducers; its path begins in the worktree",
        repeats: true, isRequired: true),
      .hostTime, .hostMemory,
      .value(
        "repository", nil, "FOLDER", "the git repository of the app (default: this folder)"),
      .from, .value("to", "t", "SEQ", "the last entry"), .json, .data, .socket,
    ],
    details: """
      Checks out commits of the range in a worktree of its own, builds each, and runs the recording \
      with the program that results, until one commit is left. Your files and branches stay as they \
      are. A commit that does not build, or cannot decode the recording, is skipped.

      Builds are incremental. Results are remembered, so after an interruption, run the same command \
      again. Both are in ~/.cache/debugd/bisect.

      If you drive git bisect yourself, use 'debugd verify --bisect'.

      Exits with 0 when it finds the commit, and with 3 when several remain that cannot be tested.
      """,
    examples: [
      (
        "debugd bisect bug.timeline v1.2..main --build 'swift build' --host .build/debug/App",
        "which commit made it wrong?"
      )
    ],
  ) { arguments, terminal in
    let (word, range) = (arguments.operand(0) ?? "", arguments.operand(1) ?? "")
    guard arguments.has("host") else {
      throw arguments.error(
        """
        bisect needs the program that runs the machine, as its path in the worktree: \
        --host .build/debug/App
        """)
    }
    let environment = ProcessInfo.processInfo.environment
    let repository = ServeSettings.absolute(arguments.value("repository") ?? ".")
    let (from, to) = (try arguments.int("from"), try arguments.int("to"))
    return try await Interruptible.run {
      try await RecordingFile.use(word, arguments, terminal) { file in
        let git = try await Git(repository, path: environment["PATH"] ?? "/usr/bin:/bin")
        let (first, last) = try await ends(of: range, in: git, arguments)
        let hosts = arguments.values["host"] ?? []
        if let outside = hosts.first(where: { $0.hasPrefix("/") || $0.hasPrefix("../") }) {
          throw arguments.error(
            """
            \(Escaped.quoted(outside)) is the same program for every commit. To fix, name the one that \
            each commit has, as its path in the repository: --host .build/debug/App
            """)
        }
        let question = try await [
          git.hash(ofFile: ServeSettings.absolute(file)), arguments.value("build") ?? "",
          hosts.joined(separator: "\n"), from.map { "\($0)" } ?? "", to.map { "\($0)" } ?? "",
        ].joined(separator: "\0")
        let run = BisectRun(
          git: git, folder: try BisectFolder(for: git.store, environment),
          trial: CommitTrial(file: file, build: arguments.value("build"), from: from, to: to) {
            try ServeSettings.hosts(arguments, in: $0)
          },
          question: question,
          report: BisectReport(terminal: terminal, isJSON: arguments.has("json")))
        return try await run.run(from: first, to: last)
      }
    }
  }

  private static func ends(
    of range: String, in git: Git, _ arguments: ParsedArguments
  ) async throws -> (BisectSearch.Commit, BisectSearch.Commit) {
    guard let (first, last) = try await git.ends(of: range) else {
      throw arguments.error(
        "bisect takes two commits with two periods between them, such as v1.2..main.")
    }
    guard first != last, try await git.isAncestor(first, of: last) else {
      throw arguments.error(
        "\(Escaped.quoted(range)) has no commits: the second commit must follow from the first.")
    }
    return (first, last)
  }
}

/// The file of a recording that may be a timeline of the daemon.
enum RecordingFile {
  /// Lends the file; one that was exported for it is removed afterward.
  static func use(
    _ word: String, _ arguments: ParsedArguments, _ terminal: Terminal,
    _ body: (String) async throws -> ExitCode
  ) async throws -> ExitCode {
    if try FileTimelines.isFile(word) {
      try FileProblem.open(word).close()
      return try await body(word)
    }
    return try await PrivateFolder.use(for: .recordings) { folder in
      let file = "\(folder.path)/recording.timeline"
      _ = try await Inquiry.run(arguments, terminal) { inquiry in
        let timeline = try await inquiry.timeline(named: word)
        let request = FromInspector.Export {
          $0.timeline = timeline
          $0.format = .timeline
        }
        _ = try await inquiry.export(
          request, to: ExportWriter(file, .timeline, replaces: false, terminal))
        return .done
      }
      return try await body(file)
    }
  }
}
