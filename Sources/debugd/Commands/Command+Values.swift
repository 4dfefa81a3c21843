import JSONCore
import Timelines

extension CommandSpec {
  /// `debugd state`.
  static let state = CommandSpec(
    name: "state", summary: "show state and outputs after an entry",
    operands: [
      .timeline,
      Operand(name: "SEQ", summary: "an entry; the last one unless told", isOptional: true),
    ],
    options: [
      .value("path", "p", "POINTER", "only the value there: /cart/items/0, /outputs/isLoading"),
      .value("depth", nil, "N", "how many levels below it; deeper ones are cut"),
      .flag("compute", nil, "let a host compute it where it was not captured"), .json, .data,
    ],
    details: "A path is meant inside the state, unless it begins with /state or /outputs.",
    examples: [
      ("debugd state coin", "state and outputs as they are now"),
      ("debugd state coin 12 --path /cart", "a part of the state after entry 12"),
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
      let answer = try await inquiry.asking.ask(.state(request)) {
        if case .state(let answer) = $0 { answer } else { nil }
      }
      guard let value = answer.value else {
        terminal.complain(
          "There is no value at \(Escaped.quoted(path?.description ?? "")) after \(seq).")
        return .failed
      }
      if answer.computed { terminal.complain("Computed by a host: it was not captured.") }
      if arguments.has("json") {
        inquiry.printJSON(value)
      } else {
        terminal.print(PrettyJSON.lines(value.value, on: terminal))
      }
      return .done
    }
  }

  /// `debugd diff`.
  static let diff = CommandSpec(
    name: "diff", summary: "compare two moments, of one timeline or of two",
    operands: [
      .timeline, Operand(name: "A", summary: "an entry"),
      Operand(name: "B", summary: "another entry, or TIMELINE:SEQ for one elsewhere"),
    ],
    options: [.value("path", "p", "POINTER", "only what is below it"), .json, .data],
    details: "Exits with 0 also when they differ; what is printed tells.",
    examples: [
      ("debugd diff coin 3 7", "what changed from entry 3 to entry 7"),
      ("debugd diff coin 7 1f2e3d4c:7", "the same entry on a branch"),
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
      let answer = try await inquiry.asking.ask(.diff(request)) {
        if case .diff(let answer) = $0 { answer } else { nil }
      }
      if arguments.has("json") {
        inquiry.printJSON(answer.patch)
      } else {
        for line in PatchRows.lines(of: answer.patch, on: terminal) { terminal.print(line) }
        if answer.patch.elements.first(where: { _ in true }) == nil {
          terminal.print("no difference")
        }
      }
      return .done
    }
  }

  /// `debugd changes`.
  static let changes = CommandSpec(
    name: "changes", summary: "list the entries that changed a value",
    operands: [.timeline, Operand(name: "PATH", summary: "where the value is: /cart/total")],
    options: [
      .value("before", "b", "SEQ", "only before that entry, the latest first"),
      .value("after", "a", "SEQ", "only after that entry, the earliest first"),
      .value("limit", "n", "N", "how many at most; 20 unless told"),
      .value("follow", nil, "KEY", "follow an array's element by the value of that key"),
      .json, .data,
    ],
    details: "Without --before and --after the latest changes are listed.",
    examples: [("debugd changes coin /isHeads --limit 1", "who set this last")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      guard !(arguments.has("before") && arguments.has("after")) else {
        throw arguments.error("--before and --after exclude each other.")
      }
      let timeline = try await inquiry.timeline()
      let path = try inquiry.path(arguments.operand(1) ?? "")
      let after = try arguments.int("after")
      var before = try arguments.int("before")
      if after == nil, before == nil {
        before = (try await inquiry.summary(of: timeline).last ?? 0) + 1
      }
      let (limit, start) = (try arguments.int("limit", 1...10_000) ?? 20, before)
      let request = FromInspector.Changes {
        $0.timeline = timeline
        $0.path = path
        $0.before = start
        $0.after = after
        $0.limit = limit
        $0.follow = arguments.value("follow")
      }
      let answer = try await inquiry.asking.ask(.changes(request)) {
        if case .changes(let answer) = $0 { answer } else { nil }
      }
      inquiry.show(answer.changes)
      if answer.more, !arguments.has("json") { terminal.complain("There are more; see --limit.") }
      inquiry.tell(unknown: answer.unknown, "Whether it changed")
      if answer.changes.isEmpty { terminal.complain("No entry changed it.") }
      return answer.changes.isEmpty ? .failed : .done
    }
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

  private func seq(_ text: String, of timeline: TimelineID) async throws -> Int64 {
    var copy = arguments
    copy.operands = [text]
    return try await Inquiry(asking: asking, arguments: copy, terminal: terminal)
      .seq(at: 0, of: timeline)
  }

  fileprivate func show(_ changes: [ToInspector.Change]) {
    for change in changes {
      if arguments.has("json") {
        var object = JSON.Object()
        object["seq"] = .number(JSON.Number(change.seq))
        object["old"] = change.old?.value
        object["new"] = change.new?.value
        printJSON(.object(object))
      } else {
        var old = change.old.map { PrettyJSON.line($0.value, width: 60) } ?? "nothing"
        var new = change.new.map { PrettyJSON.line($0.value, width: 60) } ?? "nothing"
        if let before = change.old, let after = change.new {
          (old, new) = PrettyJSON.pair(before.value, after.value, width: 60)
        }
        terminal.print(
          "\(EntryRows.right("\(change.seq)", 8))  \(terminal.toned(old, .bad)) → "
            + terminal.toned(new, .good))
      }
    }
  }
}
