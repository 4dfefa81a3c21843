import DebugServer
import Foundation
import JSONCore
import Predicates
import Timelines
import Wire

/// What a command that reads timelines works with: a backend, and readers of its answers.
struct Inquiry {
  /// What answers.
  let asking: any Backend
  let arguments: ParsedArguments
  let terminal: Terminal
  /// The timelines in files, if the command was called with a file.
  var files: FileTimelines?

  /// Lends an inquiry to a command, and closes it afterward.
  static func run(
    _ arguments: ParsedArguments, _ terminal: Terminal,
    _ body: (Inquiry) async throws -> ExitCode
  ) async throws -> ExitCode {
    if let files = try FileTimelines(arguments) {
      return try await files.use { backend in
        try await body(
          Inquiry(asking: backend, arguments: arguments, terminal: terminal, files: files))
      }
    }
    let configuration = try ServeSettings.quiet(arguments, ProcessInfo.processInfo.environment)
    let asking: any Backend
    do {
      asking = try await Backends.open(configuration, needing: arguments.command.need)
    } catch let error as ServerError {
      throw pathProblem(arguments) ?? error
    }
    let result: Result<ExitCode, any Error>
    do {
      result = .success(
        try await body(Inquiry(asking: asking, arguments: arguments, terminal: terminal)))
    } catch {
      result = .failure(error)
    }
    await asking.close()
    return try result.get()
  }

  /// The timeline that the operand at an index means.
  func timeline(at index: Int = 0) async throws -> TimelineID {
    try await timeline(named: arguments.operand(index) ?? "")
  }

  /// The timeline that a word means.
  func timeline(named word: String) async throws -> TimelineID {
    if let files { return try await files.timeline(in: word, self) }
    do {
      return try await asking.timeline(meaning: word)
    } catch  where Self.isFile(word) {
      if arguments.command.name == "open" { throw Self.viewing(word) }
      // It refuses what no command can import.
      try FileProblem.open(word).close()
      throw CommandError(
        """
        \(Escaped.quoted(word)) is a file. Import it first: debugd import \
        \(ShellWord.text(word) ?? "FILE")
        """)
    } catch let error as TimelineChoice.Unclear where Self.isFolder(word) {
      throw CommandError("\(error) \(FileProblem.reading(word, EISDIR))")
    }
  }

  /// The timeline that a word means.
  ///
  /// - Parameter hint: What to say as well when there is no such timeline, but a file or folder.
  func timeline(named word: String, orFile hint: String) async throws -> TimelineID {
    do {
      return try await asking.timeline(meaning: word)
    } catch let error as TimelineChoice.Unclear
      where FileManager.default.fileExists(atPath: word)
    {
      throw arguments.error("\(error) \(hint)")
    }
  }

  /// Why a path cannot be read in place of a timeline where there is no daemon and no data; `nil` if
  /// the command was not called with one.
  private static func pathProblem(_ arguments: ParsedArguments) -> (any Error)? {
    guard [.timelines, .timelinesOrFiles].contains(arguments.command.operands.first?.completion),
      let word = arguments.operand(0)
    else { return nil }
    if arguments.command.name == "open", isFile(word) || isFolder(word) { return viewing(word) }
    if isFolder(word) { return FileProblem.reading(word, EISDIR) }
    let folder = FilePath.folder(of: word)
    if !isFile(word), !folder.isEmpty, isFolder(folder) { return FileProblem.reading(word, ENOENT) }
    guard isFile(word), arguments.command.operands.first?.completion == .timelines else {
      return nil
    }
    return CommandError(
      """
      \(Escaped.quoted(word)) is a file, and only a daemon can do this. To fix, start one with 'debugd \
      serve', and run: debugd import \(ShellWord.text(word) ?? "FILE")
      """)
  }

  /// What opens a file in the browser.
  private static func viewing(_ word: String) -> CommandError {
    CommandError(
      """
      \(Escaped.quoted(word)) is not in the daemon. To look at files in the browser, run: debugd view \
      \(ShellWord.text(word) ?? "FILE")
      """)
  }

  private static func isFile(_ word: String) -> Bool {
    FileManager.default.fileExists(atPath: word) && !isFolder(word)
  }

  private static func isFolder(_ word: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: word, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// What is known of a timeline.
  func summary(of timeline: TimelineID) async throws -> ToInspector.TimelineSummary {
    let named = try await asking.timelines(named: timeline.text)
    guard let summary = named.first(where: { $0.header["timeline"]?.string == timeline.text })
    else {
      throw CommandError("The timeline \(timeline.text) was deleted.")
    }
    return summary
  }

  /// The seq that an operand names; the last one when it says `last` or is absent.
  func seq(at index: Int, of timeline: TimelineID) async throws -> Int64 {
    let given = try arguments.seq(at: index)
    let summary = try await summary(of: timeline)
    guard let last = summary.last else { throw CommandError("The timeline has no entries yet.") }
    guard let seq = given else { return last }
    // A branch has the entries that are still being computed.
    guard summary.computing != nil || (summary.first ?? 0)...last ~= seq else {
      throw CommandError(
        "There is no entry \(seq): the timeline has \(ParsedArguments.entries(summary)).")
    }
    return seq
  }

  /// A path into a moment; what does not begin with `/state`, `/outputs` or `/event` is meant inside
  /// the state. Paths of predicates mean the same value: `state.total`, `outputs.isLoading`.
  func path(_ text: String) throws -> Pointer {
    if let pointer = Predicates.Predicate.pointer(text) { return pointer }
    let slashed = text.isEmpty || text.hasPrefix("/") ? text : "/" + text
    do {
      let pointer = try Pointer(slashed)
      guard let first = pointer.tokens.first else { return Pointer(tokens: ["state"]) }
      if ["state", "outputs", "event"].contains(first) { return pointer }
      return Pointer(tokens: ["state"] + pointer.tokens)
    } catch {
      throw arguments.error("\(Escaped.quoted(text)) is not a path: \(error)")
    }
  }

  func predicate(_ text: String) throws -> Predicates.Predicate {
    do {
      return try Predicates.Predicate(text)
    } catch {
      throw notPredicate(text, error)
    }
  }

  /// What is wrong with a predicate, with a mark at the place.
  func notPredicate(_ text: String, _ error: Predicates.PredicateError) -> ArgumentError {
    let marker = String(repeating: " ", count: max(0, error.column - 1)) + "^"
    return arguments.error(
      "That is not a predicate: \(error)\n  \(Escaped.text(text))\n  \(marker)")
  }

  /// Prints one JSON value on a line, its text as it is except for characters that steer a terminal.
  func printJSON(_ slice: JSONSlice) {
    terminal.write(Escaped.json(slice.bytes) + [UInt8(ascii: "\n")])
  }

  /// Prints one JSON value on a line.
  func printJSON(_ value: JSON) { Self.printJSON(value, on: terminal) }

  /// Prints one JSON value on a line.
  static func printJSON(_ value: JSON, on terminal: Terminal) {
    terminal.write(Escaped.json(value.encoded()) + [UInt8(ascii: "\n")])
  }

  /// Reports the ranges whose states are unknown, and why.
  func report(unknown: [SeqRange]?, _ what: String, of timeline: TimelineID) async throws {
    guard let unknown, !unknown.isEmpty else { return }
    let shown = unknown.prefix(4).map { range in
      range.seqs.count == 1
        ? "\(range.seqs.lowerBound)" : "\(range.seqs.lowerBound) to \(range.seqs.upperBound)"
    }
    let more = unknown.count > 4 ? " and \(unknown.count - 4) more ranges" : ""
    let why = try await unknownReasons(unknown, in: timeline)
    terminal.complain("\(what) of \(shown.joined(separator: ", "))\(more) is not known: \(why)")
  }

  /// What becomes of states that a host computed.
  static let notSearched = """
    A host can compute them for state, diff, and entries; what it computed is not searched.
    """
}
