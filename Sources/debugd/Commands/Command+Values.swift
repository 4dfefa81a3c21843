import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let state = CommandSpec(
    name: "state", summary: "show state and outputs after an entry",
    operands: [
      .timelineOrFile,
      Operand(name: "SEQ", summary: "an entry (default: the last one)", isOptional: true),
    ],
    options: [
      .value("path", "p", "POINTER", "only the value there: /cart/items/0, /outputs/isLoading"),
      .value("depth", nil, "N", "how many levels to show below it"),
      .flag("compute", nil, "let a host compute a state that was not captured"), .json, .data,
      .socket,
    ],
    details: "A path is relative to the state, unless it begins with /state, /outputs, or /event.",
    examples: [
      ("debugd state coin", "state and outputs as they are now"),
      ("debugd state coin 12 --path /isHeads", "a part of the state after entry 12"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let seq = try await inquiry.seq(at: 1, of: timeline)
      let path = try arguments.value("path").map { try inquiry.path($0) }
      let depth = try arguments.int("depth", 1...512)
      let request = FromInspector.State {
        $0.timeline = timeline
        $0.seq = seq
        $0.path = path
        // For the protocol the value itself is a level.
        $0.depth = depth.map { $0 + 1 }
        $0.compute = arguments.has("compute")
      }
      let answer = try await inquiry.asking.ask(request)
      guard let value = answer.value else {
        if let path { try await inquiry.expectSpelling(path, in: timeline) }
        terminal.complain(
          "Entry \(seq) has no value at \(Escaped.quoted(path?.description ?? "")).")
        return .failed
      }
      if answer.computed {
        terminal.complain("A host computed this state, because it was not captured.")
      }
      if arguments.has("json") {
        inquiry.printJSON(value)
      } else {
        terminal.print(PrettyJSON.lines(value.value, on: terminal))
      }
      return .done
    }
  }

  static let diff = CommandSpec(
    name: "diff", summary: "compare two moments, of one timeline or of two",
    operands: [
      .timelineOrFile, Operand(name: "A", summary: "an entry"),
      Operand(name: "B", summary: "another entry, or TIMELINE:SEQ for one of another timeline"),
    ],
    options: [.value("path", "p", "POINTER", "only differences below it"), .json, .data, .socket],
    details: "Exits with 0 even when they differ.",
    examples: [
      ("debugd diff coin 3 7", "what changed from entry 3 to entry 7"),
      ("debugd diff coin 7 1f2e3d4c:7", "the same entry of a branch"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let a = EntryReference(timeline: timeline, seq: try await inquiry.seq(at: 1, of: timeline))
      let b = try await inquiry.moment(arguments.operand(2) ?? "last", in: timeline)
      let path = try arguments.value("path").map { try inquiry.path($0) }
      let request = FromInspector.Diff {
        $0.a = a
        $0.b = b
        $0.path = path
      }
      let answer = try await inquiry.asking.ask(request)
      let isEqual = answer.patch.elements.first(where: { _ in true }) == nil
      if isEqual, let path { try await inquiry.expectSpelling(path, in: timeline) }
      if arguments.has("json") {
        inquiry.printJSON(answer.patch)
      } else {
        let old = await inquiry.asking.values(replacedBy: answer.patch, at: a)
        for line in PatchRows.lines(of: answer.patch, replacing: old, on: terminal) {
          terminal.print(line)
        }
        if isEqual { terminal.print("no difference") }
      }
      return .done
    }
  }

  static let changes = CommandSpec(
    name: "changes", summary: "list what changed a value: entries, events, and call sites",
    operands: [.timelineOrFile, Operand(name: "PATH", summary: "where the value is: /cart/total")],
    options: [
      .value("before", "b", "SEQ", "only before that entry, the latest first"),
      .value("after", "a", "SEQ", "only after that entry, the earliest first"),
      .value("limit", "n", "N", "the maximum number (default: 20)"),
      .value("follow", nil, "KEY", "follow an array's element by the value of that key"),
      .json, .data, .socket,
    ],
    details: "Without --before and --after the latest changes are listed.",
    examples: [("debugd changes coin /isHeads --limit 1", "what set this last")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal, listChanges)
  }

  /// Lists changes, and what set the value.
  static func listChanges(_ inquiry: Inquiry) async throws -> ExitCode {
    let arguments = inquiry.arguments
    guard !(arguments.has("before") && arguments.has("after")) else {
      throw arguments.error("Use either --before or --after, not both.")
    }
    let timeline = try await inquiry.timeline()
    let path = try inquiry.path(arguments.operand(1) ?? "")
    let summary = try await inquiry.summary(of: timeline)
    let after = try arguments.entry("after", of: summary)
    var before = try arguments.entry("before", of: summary)
    if after == nil, before == nil { before = (summary.last ?? 0) + 1 }
    let (limit, start) = (try arguments.int("limit", 1...10_000) ?? 20, before)
    let request = FromInspector.Changes {
      $0.timeline = timeline
      $0.path = path
      $0.before = start
      $0.after = after
      $0.limit = limit
      $0.follow = arguments.value("follow")
    }
    let answer = try await inquiry.asking.ask(request)
    try await inquiry.show(answer.changes, of: timeline)
    if answer.more, !arguments.has("json") {
      inquiry.terminal.complain("There are more. To see them, use --limit N.")
    }
    try await inquiry.report(unknown: answer.unknown, "Whether it changed", of: timeline)
    if answer.changes.isEmpty {
      let absent = await inquiry.absence(of: path.tokens, in: timeline)
      inquiry.terminal.complain(
        absent?.sentence(.pointer) ?? "No entry changed \(Escaped.quoted(path.description)).")
    }
    return answer.changes.isEmpty ? .failed : .done
  }
}

extension Inquiry {
  /// The moment that `SEQ` or `TIMELINE:SEQ` names.
  func moment(_ text: String, in timeline: TimelineID) async throws -> EntryReference {
    guard let colon = text.lastIndex(of: ":") else {
      return EntryReference(timeline: timeline, seq: try await seq(text, of: timeline))
    }
    let other = try await self.timeline(named: String(text[..<colon]))
    let number = String(text[text.index(after: colon)...])
    return EntryReference(timeline: other, seq: try await seq(number, of: other))
  }

  /// The entry that a text names.
  func seq(_ text: String, of timeline: TimelineID) async throws -> Int64 {
    var copy = arguments
    copy.operands = [text]
    return try await Inquiry(asking: asking, arguments: copy, terminal: terminal)
      .seq(at: 0, of: timeline)
  }

  /// Shows changes with who set the value, as rows or as lines of JSON.
  fileprivate func show(_ changes: [ToInspector.Change], of timeline: TimelineID) async throws {
    var rows = ChangeRows(on: terminal)
    let entries = try await lines(of: changes.map(\.seq), in: timeline)
    for change in changes {
      let entry = entries[change.seq]
      if arguments.has("json") {
        printJSON(ChangeRows.json(change, entry))
      } else {
        rows.add(change, entry)
      }
    }
    if !changes.isEmpty { showHeader(rows.header) }
    for line in rows.lines { terminal.print(line) }
  }
}
