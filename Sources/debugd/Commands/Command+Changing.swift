import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let rename = CommandSpec(
    name: "rename", summary: "give a timeline a name",
    operands: [
      .timeline, Operand(name: "NAME", summary: "the name; '' removes it"),
    ],
    options: [.data, .socket],
    examples: [("debugd rename coin 'before the crash'", "from now on you can use that name")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let name = arguments.operand(1) ?? ""
      try arguments.expectName(name)
      try await inquiry.rename(timeline, to: name)
      terminal.print(
        name.isEmpty
          ? "\(timeline.text.prefix(8))  has no name of its own now"
          : "\(timeline.text.prefix(8))  is now called \(Escaped.quoted(name))")
      return .done
    }
  }

  static let mark = CommandSpec(
    name: "mark", summary: "mark an entry; retention keeps marked timelines",
    operands: [
      .timeline, .seq, Operand(name: "TEXT", summary: "the text of the mark", isOptional: true),
    ],
    options: [.flag("remove", "r", "remove the mark"), .data, .socket],
    examples: [
      ("debugd mark coin 1042 'here it goes wrong'", "everyone who opens the recording sees it")
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let seq = try await inquiry.seq(at: 1, of: timeline)
      let request = FromInspector.Mark {
        $0.timeline = timeline
        $0.seq = seq
        $0.text = arguments.has("remove") ? nil : arguments.operand(2) ?? ""
      }
      _ = try await inquiry.asking.ask(request)
      let did = arguments.has("remove") ? "unmarked" : "marked"
      terminal.print("\(did)  entry \(seq) of \(timeline.text.prefix(8))")
      return .done
    }
  }

  static let delete = CommandSpec(
    name: "delete", summary: "delete timelines for good",
    operands: [
      Operand(
        name: "TIMELINE",
        summary: "an id, or the beginning of one; a machine's name means its newest recording, "
          + "and 'last' the newest of all",
        repeats: true, completion: .timelines)
    ],
    options: [
      .flag("cascade", nil, "delete their branches, too"),
      .flag("yes", "y", "do not ask for confirmation"), .data, .socket,
    ],
    details: "Asks for confirmation on a terminal; scripts pass --yes."
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("delete needs TIMELINE.") }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      for word in arguments.operands {
        let timeline = try await inquiry.timeline(named: word)
        let summary = try await inquiry.summary(of: timeline)
        guard arguments.has("yes") || inquiry.confirms(summary) else {
          terminal.complain("Nothing was deleted. To delete without confirmation, add --yes.")
          return .failed
        }
        let isCascade = arguments.has("cascade")
        let branches = isCascade ? try await inquiry.descendants(of: timeline) : 0
        let request = FromInspector.Delete {
          $0.timeline = timeline
          $0.cascade = isCascade
        }
        _ = try await inquiry.asking.ask(request)
        let others = branches == 0 ? "" : " and \(Amounts.count(branches, "branch", "branches"))"
        terminal.print("deleted  \(timeline.text)\(others)")
      }
      return .done
    }
  }
}

extension Inquiry {
  /// The number of branches that were made from a timeline, and from these.
  fileprivate func descendants(of timeline: TimelineID) async throws -> Int64 {
    let parents = try await asking.timelines().compactMap { summary in
      summary.header["parent"]?["timeline"]?.string.map {
        (id: summary.header["timeline"]?.string ?? "", parent: $0)
      }
    }
    let children = Dictionary(grouping: parents, by: \.parent)
    var (found, waiting) = (Set([timeline.text]), [timeline.text])
    while let next = waiting.popLast() {
      for child in children[next] ?? [] where found.insert(child.id).inserted {
        waiting.append(child.id)
      }
    }
    return Int64(found.count - 1)
  }

  fileprivate func confirms(_ summary: ToInspector.TimelineSummary) -> Bool {
    guard terminal.isInteractive else { return false }
    for line in TimelineRows.lines([summary], on: terminal) { terminal.print(line) }
    return confirms("Delete it?")
  }

  /// Asks before the oldest timelines are deleted, and says what limits that follows.
  func confirmsPruning() async throws -> Bool {
    let count = Int64(try await asking.timelines(app: nil, live: false).count)
    let limits = ["bytes", "age", "per-app"].compactMap { name in
      arguments.value(name).map { "--\(name) \(Escaped.text($0))" }
    }
    return confirms(
      """
      This deletes the oldest of \(Amounts.count(count, "timeline")), and their branches, until the rest is within \
      \(limits.joined(separator: " ")). Delete them?
      """)
  }

  private func confirms(_ question: String) -> Bool {
    terminal.write(Array("\(question) [y/N] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}

extension ParsedArguments {
  /// Fails if a name could not be used to refer to the timeline that gets it.
  func expectName(_ name: String?) throws {
    if let problem = name.flatMap({ TimelineChoice.problem(with: $0) }) { throw error(problem) }
  }
}

extension Inquiry {
  /// Names a timeline; an empty name removes it.
  func rename(_ timeline: TimelineID, to name: String) async throws {
    let request = FromInspector.Rename {
      $0.timeline = timeline
      $0.name = name
    }
    _ = try await asking.ask(request)
  }
}
