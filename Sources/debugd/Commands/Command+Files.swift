import DebugServer
import Foundation
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let export = CommandSpec(
    name: "export", summary: "write a timeline, or a range of it, to a file or a test",
    operands: [.timelineOrFile],
    options: [
      .value("out", "o", "FILE", "where to write it; '-' is standard output; for a test, a folder"),
      .value(
        "as", nil, "FORMAT", "the format (default: by the name of the file, else timeline)",
        choices: ExportFormat.allCases.map(\.rawValue)),
      .from, .value("to", "t", "SEQ", "the last entry"),
      .value("path", "p", "POINTER", "a column of csv, or what a test asserts", repeats: true),
      .value(
        "expect", nil, "PREDICATE", "a condition for the last entry", repeats: true),
      .value("never", nil, "PREDICATE", "a condition that must never hold", repeats: true),
      .value(
        "assert", nil, "WHAT",
        "recorded values to pin in a test (default: outputs, or with a condition none)",
        choices: ExportWords.assertions.map(\.word)),
      .value("name", nil, "NAME", "the name of a test"),
      .flag("what-if", nil, "compute branches for an HTML file, so that edits in it show results"),
      .value("around", nil, "SEQ", "the entry around which to edit (default: the last one)"),
      .value("make", nil, "EXPR", "the Swift expression of a fresh machine, for a test"),
      .flag("force", nil, "replace an existing file"), .data, .socket,
    ],
    details: """
      A .timeline file holds the recorded lines as they are. To compress it, end its name with .zst.
      An HTML file contains the inspector's page and the timeline: it opens in a browser without \
      debugd and without a network. With --what-if, a host computes up to 200 branches for it: skip, \
      move, and repeat then show what the reducer does. --never adds the fewest events for a failure.
      A test of more than a hundred events keeps its timeline in a second file, next to the source.
      A test normally pins what was recorded, so a test of a bug passes until the bug is fixed. With \
      --never or --expect it fails until then. That is the default for what 'debugd minimize' found: \
      the failure must never happen. To pin the recorded values of such a branch, use --assert.
      """,
    examples: [
      ("debugd export coin -o coin.timeline", "one file to attach to a report"),
      ("debugd export coin -o coin.html", "the same, in a page that opens by double-click"),
      ("debugd export coin --as csv -p /isHeads -p /outputs/side", "a table"),
      ("debugd export coin --as swift-testing -o Tests/CoinTests/", "a test, and its fixture"),
      (
        "debugd export cart --never 'state.total < 0' -o CartTests.swift",
        "a test that fails until the bug is fixed"
      ),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let out = arguments.value("out").flatMap { $0 == "-" ? nil : $0 }
      if out == nil, terminal.isInteractive, arguments.value("as") == nil {
        throw arguments.error(
          "Name a file: --out FILE. '--out -' prints to the terminal."
        )
      }
      let format = try inquiry.format(out)
      let paths = try (arguments.values["path"] ?? []).map { try inquiry.path($0) }
      let never = try await inquiry.predicates("never", of: timeline)
      let expect = try await inquiry.predicates("expect", of: timeline)
      let isWhatIf = arguments.has("what-if")
      if isWhatIf, inquiry.files != nil {
        let word = arguments.operand(0) ?? ""
        throw CommandError(
          """
          \(Escaped.quoted(word)) is a file, and only a daemon with a host computes branches. To fix, \
          import it, and export the timeline then: debugd import \(ShellWord.text(word) ?? "FILE")
          """)
      }
      if isWhatIf, format != .html {
        throw arguments.error("--what-if is for HTML files. Add --as html.")
      }
      if !never.isEmpty || !expect.isEmpty, !format.isTest, !(isWhatIf && expect.isEmpty) {
        throw arguments.error(
          format == .html && expect.isEmpty
            ? "In an HTML file, --never needs the branches that a host computes. Add --what-if."
            : "--expect and --never are for tests. Add --as swift-testing, or xctest, quick or json."
        )
      }
      if !isWhatIf, arguments.value("around") != nil {
        throw arguments.error("--around is for the branches of an HTML file. Add --what-if.")
      }
      let (from, to) = try arguments.range(of: try await inquiry.summary(of: timeline))
      let around = isWhatIf ? try await inquiry.around(in: timeline) : nil
      try await inquiry.expectPaths(of: never + expect, in: timeline)
      try await inquiry.expectPaths(paths, in: timeline)
      let request = FromInspector.Export {
        $0.timeline = timeline
        $0.format = format
        $0.from = from
        $0.to = to
        $0.paths = paths.isEmpty ? nil : paths
        $0.expect = expect.isEmpty ? nil : expect
        $0.never = never.isEmpty ? nil : never
        $0.assertion = ExportWords.assertions.first { $0.word == arguments.value("assert") }?.means
        $0.name = arguments.value("name")
        $0.make = arguments.value("make")
        $0.whatIf = around
      }
      let writer = try ExportWriter(out, format, replaces: arguments.has("force"), terminal)
      for (file, bytes) in try await inquiry.export(request, to: writer) {
        terminal.complain("\(Amounts.bytes(bytes)) written to \(Escaped.text(file))")
      }
      if let (suite, package) = await writer.testSuite {
        if let target = package.missingTarget(for: await writer.source) {
          terminal.complain("Add this to the targets in Package.swift:\n\(target)")
        }
        if let command = package.command(running: suite) { terminal.complain("Run: \(command)") }
      }
      let summary = try await inquiry.summary(of: timeline)
      // No line of the file can say it: what says that entries were lost is the entry after them.
      if let gap = summary.gap, to.map({ $0 > summary.last ?? -1 }) ?? true {
        terminal.complain(
          "Not in the export: entries were lost, \(Escaped.text(TimelineRows.lost(gap)))")
      }
      return .done
    }
  }

  static let `import` = CommandSpec(
    name: "import", summary: "import timelines from files",
    operands: [
      Operand(
        name: "FILE",
        summary:
          "a .timeline, .timeline.zst or Redux DevTools .json file, or a folder of timelines",
        repeats: true,
        completion: .files)
    ],
    options: [
      .flag(
        "skip-existing", nil, "succeed for files whose timelines are already there; those stay"),
      .json, .data, .socket,
    ],
    details: """
      A file that was cut off is imported up to its last whole entry. The command says so, and exits \
      with 3. A timeline that is already there is refused, without a look at its entries.
      """,
    need: .nothing
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("import needs FILE.") }
    let files = try VerifiedFiles.timelines(among: arguments.operands)
    return try await Inquiry.run(arguments, terminal) { inquiry in
      var code = ExitCode.done
      for file in files {
        do {
          let imported = try await inquiry.upload(file)
          for timeline in imported.timelines ?? [] {
            inquiry.printImported(timeline, from: file, note: imported.note)
          }
          if let note = imported.note {
            terminal.complain("\(Escaped.text(file)): \(Escaped.text(note))")
            if code == .done { code = .loss }
          }
        } catch let problem as CommandError {
          terminal.complain("debugd: \(problem)")
          code = .failed
        } catch BackendError.refused(let reply) where inquiry.skips(reply) {
          if let timeline = reply.timeline {
            inquiry.printImported(timeline, from: file, isSkipped: true)
          }
        } catch {
          terminal.complain("\(Escaped.text(file)): \(error)")
          code = .failed
        }
      }
      return code
    }
  }
}

extension Inquiry {
  /// Whether a file is skipped that was refused because its timeline is already there.
  fileprivate func skips(_ reply: ErrorReply) -> Bool {
    arguments.has("skip-existing") && reply.code == .conflict && reply.timeline != nil
  }

  fileprivate func printImported(
    _ timeline: TimelineID, from file: String, note: String? = nil, isSkipped: Bool = false
  ) {
    guard arguments.has("json") else {
      let remark = isSkipped ? "  (already there)" : ""
      return terminal.print("\(timeline.text)  \(Escaped.text(file))\(remark)")
    }
    var object = JSON.Object()
    object["file"] = .string(file)
    object["timeline"] = .string(timeline.text)
    if let note { object["note"] = .string(note) }
    if isSkipped { object["skipped"] = .bool(true) }
    printJSON(.object(object))
  }

  /// The predicates of an option.
  fileprivate func predicates(
    _ option: String, of timeline: TimelineID
  ) async throws -> [Predicates.Predicate] {
    var predicates: [Predicates.Predicate] = []
    for text in arguments.values[option] ?? [] {
      predicates.append(try await predicate(text, of: timeline))
    }
    return predicates
  }

  fileprivate func format(_ out: String?) throws -> ExportFormat {
    if let word = arguments.value("as"), let format = ExportFormat(rawValue: word) { return format }
    if out?.hasSuffix(".csv") == true { return .csv }
    if out?.hasSuffix(".html") == true { return .html }
    if out?.hasSuffix(".swift") == true { return .swiftTesting }
    return .timeline
  }

  /// Exports part by part; the files, and how many bytes each has.
  func export(
    _ request: FromInspector.Export, to writer: ExportWriter
  ) async throws -> [(file: String, bytes: Int64)] {
    let answer = try await asking.ask(.export(request)) { await writer.receive($0) }
    guard case .message(let last) = answer else { throw BackendError.unexpected("an overview") }
    await writer.receive(last)
    let files = try await writer.finish()
    if case .export(let part) = last, let note = part.note { terminal.complain(Escaped.text(note)) }
    return files
  }

  /// Sends a file in parts; what was imported.
  func upload(_ file: String) async throws -> ToInspector.Import {
    let handle = try FileProblem.open(file)
    defer { try? handle.close() }
    let size = Int64(try handle.seekToEnd())
    try handle.seek(toOffset: 0)
    let begin = FromInspector.Import {
      $0.name = String(file.split(separator: "/").last ?? "")
      $0.bytes = size
    }
    var answer = try await asking.ask(.import(begin), uploadAnswer)
    var offset: Int64 = 0
    repeat {
      let data = try handle.read(upToCount: Int(max(1, answer.partBytes))) ?? Data()
      let (start, upload) = (offset, answer.upload)
      let isLast = offset + Int64(data.count) >= size || data.isEmpty
      let part = FromInspector.Part {
        $0.upload = upload
        $0.offset = start
        $0.data = data.base64EncodedString()
        $0.last = isLast
      }
      offset += Int64(data.count)
      answer = try await asking.ask(.part(part)) { message in
        if case .done = message {
          return ToInspector.Import {
            $0.upload = upload; $0.partBytes = answer.partBytes
          }
        }
        return uploadAnswer(message)
      }
      if isLast { break }
    } while true
    return answer
  }

  private func uploadAnswer(_ message: ToInspector) -> ToInspector.Import? {
    if case .import(let answer) = message { answer } else { nil }
  }
}

extension Inquiry {
  /// The entry around which edits are computed.
  fileprivate func around(in timeline: TimelineID) async throws -> Int64 {
    try await seq(arguments.value("around") ?? "last", of: timeline)
  }
}
