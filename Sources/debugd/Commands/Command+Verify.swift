import DebugServer
import Foundation
import JSONCore
internal import Reruns
import Timelines
import Wire

extension CommandSpec {
  static let verify = CommandSpec(
    name: "verify", summary: "run recordings again, and name the first entry that differs",
    operands: [
      Operand(
        name: "TIMELINE",
        summary:
          "a machine's name, an id, 'last', a .timeline file, a .json fixture, or a folder of "
          + "these",
        repeats: true, completion: .files)
    ],
    options: [
      .host, .hostTime, .hostMemory, .from, .value("to", "t", "SEQ", "the last entry"),
      .value(
        "processes", "p", "N",
        "in how many fresh processes, 1 to 8: use several to distinguish an impure reducer from changed code"
      ),
      .value("junit", nil, "FILE", "write a report for a build server"),
      .flag("bisect", nil, "exit as 'git bisect run' expects: 125 for what cannot be tested"),
      .json, .data, .socket,
    ],
    details: """
      Files need no daemon, but an executable that makes their machines: --host. Timelines of a \
      running daemon are run by its hosts.

      The recorded values of a branch that 'minimize' made are those of a bug. Such a branch passes \
      when the failure it was minimized to no longer happens, and fails while it does. To compare its \
      recorded values, use 'debugd compare'.

      Exits with 0 when all are the same or pass, with 1 when one differs, fails or is impure, and \
      with 3 when the only other ones are inconclusive: redacted, not captured, or without \
      anything to compare. With --bisect, it exits with 125 instead of 3, and when a program is not a \
      host, or cannot decode the recording; and with 129 when it was called wrongly or there is no such \
      file, which ends 'git bisect run'.
      """,
    examples: [
      ("debugd verify coin", "is what was recorded still what the code does?"),
      (
        "debugd verify Tests/Timelines --host .build/debug/App --junit report.xml",
        "in continuous integration"
      ),
      ("debugd verify coin --processes 8", "does the reducer depend on more than its input?"),
    ]
  ) { arguments, terminal in
    guard arguments.has("bisect") else { return try await verify(arguments, terminal) }
    do {
      return try await verify(arguments, terminal)
    } catch let error as MissingRecording {
      terminal.complain("debugd: \(error)")
      return .abortedBisect
    } catch let error where !(error is ArgumentError) {
      // git would take any other failure for the bug.
      terminal.complain("debugd: \(error)")
      return .untestable
    }
  }

  private static func verify(
    _ arguments: ParsedArguments, _ terminal: Terminal
  ) async throws -> ExitCode {
    guard !arguments.operands.isEmpty else {
      throw arguments.error("verify needs TIMELINE, or a file.")
    }
    var run = try VerifyRun(arguments, terminal)
    let files = try VerifiedFiles.all(
      arguments.operands, hasHost: arguments.has("host"))
    if let files {
      let begun = run
      run = try await Interruptible.run {
        var run = begun
        try await run.verify(files: files)
        return run
      }
    } else if arguments.values["host"] != nil {
      throw arguments.error(
        """
        There is no file \(Escaped.quoted(arguments.operands[0])). --host is for files: to verify a \
        timeline of a daemon, whose hosts run it, leave --host out.
        """)
    } else {
      _ = try await Inquiry.run(arguments, terminal) { inquiry in
        for word in arguments.operands {
          let timeline = try await inquiry.timeline(named: word, orFile: VerifyRun.needsHost)
          try await run.verify(timeline, named: word) { request in
            try await inquiry.asking.ask(request) { $0 }
          }
        }
        return .done
      }
    }
    return try run.finish()
  }
}

/// A word that looks like a path names no file.
struct MissingRecording: Error, CustomStringConvertible {
  let word: String

  var description: String { "There is no file \(Escaped.quoted(word))." }
}

/// The files that operands name.
enum VerifiedFiles {
  /// All files, those of folders by their names; `nil` when the operands are timelines.
  ///
  /// A word without a slash names a timeline, whatever is in the working directory, and so does
  /// `app/machine`, unless a host is named beside it: that is for files.
  static func all(_ operands: [String], hasHost: Bool) throws -> [String]? {
    var files: [String] = []
    var others: [String] = []
    for word in operands {
      var isFolder: ObjCBool = false
      if hasHost || isPath(word),
        FileManager.default.fileExists(atPath: word, isDirectory: &isFolder)
      {
        files +=
          isFolder.boolValue ? try self.files(in: word) { isTimeline($0) || isFixture($0) } : [word]
      } else if isTimeline(word) || word.contains("/") && (hasHost || !mayBeName(word)) {
        throw MissingRecording(word: word)
      } else {
        others.append(word)
      }
    }
    guard files.isEmpty || others.isEmpty else {
      throw CommandError(
        "\(Escaped.quoted(others[0])) is not a file: name files or timelines, not both.")
    }
    return files.isEmpty ? nil : files
  }

  /// Files, and the timelines in folders.
  static func timelines(among operands: [String]) throws -> [String] {
    try operands.flatMap { word in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder),
        isFolder.boolValue
      else { return [word] }
      return try files(in: word, where: isTimeline)
    }
  }

  private static func isPath(_ word: String) -> Bool {
    word.contains("/") || isTimeline(word) || word.hasSuffix(".zst") || word.hasSuffix(".json")
  }

  /// Whether a word names a file and no timeline: by its beginning or its end.
  static func isOnlyPath(_ word: String) -> Bool {
    word.hasPrefix("/") || word.hasPrefix(".")
      || [".timeline", ".zst", ".gz", ".json", ".html"].contains { word.hasSuffix($0) }
  }

  private static func mayBeName(_ word: String) -> Bool {
    !word.hasPrefix("/") && !word.hasPrefix(".") && word.split(separator: "/").count == 2
  }

  private static func files(
    in folder: String, where isWanted: (String) -> Bool
  ) throws -> [String] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      .map { folder + (folder.hasSuffix("/") ? "" : "/") + $0 }
      .filter(isWanted)
    guard !found.isEmpty else {
      throw CommandError("The folder \(Escaped.quoted(folder)) has no .timeline file.")
    }
    return found
  }

  /// Whether a file is one of JSON that begins as fixtures do: folders have others, too.
  private static func isFixture(_ path: String) -> Bool {
    guard path.hasSuffix(".json"), let handle = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? handle.close() }
    return TimelineDocument.mayBegin(with: (try? handle.read(upToCount: 256)) ?? Data())
  }

  private static func isTimeline(_ path: String) -> Bool {
    path.hasSuffix(".timeline") || path.hasSuffix(".timeline.zst")
  }
}

/// One call of `verify`: its answers, and what it ends with.
struct VerifyRun: Sendable {
  private let arguments: ParsedArguments
  private let terminal: Terminal
  private var report = JUnit()
  private var hasFailed = false
  /// What the recordings say about the commit that the host was built from.
  private var outcomes: [CommitOutcome] = []
  private var isInconclusive = false

  /// What is said where files are named alone.
  static let needsHost =
    "To verify files, name the program that runs their machines: --host .build/debug/App."

  private let from: Int64?
  private let to: Int64?
  private let processes: Int64?

  init(_ arguments: ParsedArguments, _ terminal: Terminal) throws {
    self.arguments = arguments
    self.terminal = terminal
    from = try arguments.int("from")
    to = try arguments.int("to")
    processes = try arguments.int("processes", 1...8)
    // Before the work, which can take minutes.
    if let report = arguments.value("junit") { try FileProblem.checkWritable(report) }
  }

  /// Verifies files with hosts of their own.
  mutating func verify(files: [String]) async throws {
    let hosts = try ServeSettings.hosts(arguments)
    guard !hosts.executables.isEmpty else {
      throw arguments.error(Self.needsHost)
    }
    let proofs = try FileRerunService(hosts: hosts)
    do {
      do {
        try await proofs.begin()
      } catch let refusal as Refusal {
        throw CommandError(Escaped.text(refusal.reply.message))
      }
      for file in files {
        // An interruption says nothing about the file.
        try Task.checkCancellation()
        do {
          try FileProblem.open(file).close()
          let timeline = try await proofs.add(file: file)
          if let note = await proofs.note {
            isInconclusive = true
            terminal.complain("\(Escaped.text(file)): \(Escaped.text(note))")
          }
          try await verify(timeline, named: file) { try await proofs.ask($0) }
        } catch let error as BackendError {
          throw error
        } catch let refusal as Refusal {
          fail(file, refusal.reply.message, 0, isError: true)
        } catch {
          fail(file, "\(error)", 0, isError: true)
        }
      }
    } catch {
      await proofs.close()
      throw error
    }
    await proofs.close()
  }

  mutating func verify(
    _ timeline: TimelineID, named name: String,
    ask: (FromInspector) async throws -> ToInspector
  ) async throws {
    let start = ContinuousClock.now
    let answer: ToInspector
    do {
      answer = try await ask(.verify(request(timeline)))
    } catch let error as BackendError {
      return fail(name, error.description, Self.seconds(since: start), isError: true)
    }
    guard case .verify(let verdict) = answer else {
      throw BackendError.unexpected("no verdict")
    }
    let seconds = Self.seconds(since: start)
    let place = verdict.seq.map { EntryReference(timeline: timeline, seq: $0) }
    let old = await ReplacedValues.values(replacedBy: verdict.patch, at: place, ask: ask)
    show(verdict, name, seconds, replacing: old)
  }

  private func request(_ timeline: TimelineID) -> FromInspector.Verify {
    let (from, to, processes) = (from, to, processes)
    return FromInspector.Verify {
      $0.timeline = timeline
      $0.from = from
      $0.to = to
      $0.processes = processes
      // The recorded values of a minimized branch are those of a bug.
      $0.failure = true
    }
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  private mutating func show(
    _ verdict: ToInspector.Verify, _ name: String, _ seconds: Double,
    replacing old: [Pointer: JSON]
  ) {
    let lines = ProofRows.lines(
      of: verdict, Escaped.text(name), replacing: old, on: terminal)
    if arguments.has("json") {
      var object = JSON.Object()
      object["name"] = .string(name)
      object["outcome"] = .string(verdict.outcome.rawValue)
      object["entries"] = .number(JSON.Number(verdict.entries))
      if let seq = verdict.seq { object["seq"] = .number(JSON.Number(seq)) }
      if let patch = verdict.patch { object["patch"] = patch.value }
      if let failure = verdict.failure { object["failure"] = .string("\(failure)") }
      if let message = verdict.message { object["message"] = .string(message) }
      Inquiry.printJSON(.object(object), on: terminal)
    } else {
      for line in lines { terminal.print(line) }
    }
    outcomes.append(CommitOutcome(verdict, lines: []))
    switch verdict.outcome {
    case .same, .passes: report.cases.append(JUnit.Case(name: name, seconds: seconds))
    case .inconclusive:
      isInconclusive = true
      let text = verdict.message ?? "inconclusive"
      report.cases.append(JUnit.Case(name: name, seconds: seconds, failure: text, isError: true))
    case .fails:
      hasFailed = true
      let why = verdict.message ?? verdict.failure.map { "\($0)" } ?? "the failure happens"
      let text = "fails at entry \(verdict.seq ?? 0): \(why)"
      report.cases.append(JUnit.Case(name: name, seconds: seconds, failure: text))
    case .differs, .impure:
      hasFailed = true
      var text = "\(verdict.outcome.rawValue) at entry \(verdict.seq ?? 0)"
      if let message = verdict.message { text += ": \(message)" }
      if let patch = verdict.patch { text += "\n\(patch.text)" }
      report.cases.append(JUnit.Case(name: name, seconds: seconds, failure: text))
    }
  }

  private mutating func fail(_ name: String, _ why: String, _ seconds: Double, isError: Bool) {
    hasFailed = true
    outcomes.append(.untestable(why))
    terminal.complain("\(Escaped.text(name)): \(Escaped.text(why))")
    report.cases.append(
      JUnit.Case(name: name, seconds: seconds, failure: why, isError: isError))
  }

  /// Writes the report; the exit code.
  func finish() throws -> ExitCode {
    if let file = arguments.value("junit") {
      try FileProblem.write(report.text, to: file)
    }
    if arguments.has("bisect") { return CommitOutcome.exitCode(of: outcomes) }
    return hasFailed ? .failed : isInconclusive ? .loss : .done
  }
}
