import Timelines

extension CommandSpec {
  /// `debugd rename`.
  static let rename = CommandSpec(
    name: "rename", summary: "give a timeline a name",
    operands: [
      .timeline, Operand(name: "NAME", summary: "the name; '' takes it away"),
    ],
    options: [.data],
    examples: [("debugd rename coin 'before the crash'", "found by that name from now on")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      try await inquiry.rename(timeline, to: arguments.operand(1) ?? "")
      return .done
    }
  }

  /// `debugd mark`.
  static let mark = CommandSpec(
    name: "mark", summary: "mark an entry; marked timelines are kept",
    operands: [
      .timeline, .seq, Operand(name: "TEXT", summary: "what is written on it", isOptional: true),
    ],
    options: [.flag("remove", "r", "take the mark away"), .data],
    examples: [("debugd mark coin 1042 'here it goes wrong'", "seen by everybody who looks")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let seq = try await inquiry.seq(at: 1, of: timeline)
      let request = FromInspector.Mark {
        $0.timeline = timeline
        $0.seq = seq
        $0.text = arguments.has("remove") ? nil : arguments.operand(2) ?? ""
      }
      _ = try await inquiry.asking.ask(.mark(request)) { _ in true }
      return .done
    }
  }

  /// `debugd delete`.
  static let delete = CommandSpec(
    name: "delete", summary: "delete timelines for good",
    operands: [
      Operand(
        name: "TIMELINE",
        summary: "an id, or the beginning of one; a machine's name means its newest",
        repeats: true, completion: .timelines)
    ],
    options: [
      .flag("cascade", nil, "with their branches"), .flag("yes", "y", "without asking"), .data,
    ],
    details: "Asks on a terminal; a script says --yes."
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("delete needs TIMELINE.") }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      for word in arguments.operands {
        let timeline = try await inquiry.timeline(named: word)
        let summary = try await inquiry.summary(of: timeline)
        guard arguments.has("yes") || inquiry.confirms(summary) else {
          terminal.complain("Nothing was deleted. To delete it say --yes.")
          return .failed
        }
        let request = FromInspector.Delete {
          $0.timeline = timeline
          $0.cascade = arguments.has("cascade")
        }
        _ = try await inquiry.asking.ask(.delete(request)) { _ in true }
        terminal.print("deleted  \(timeline.text)")
      }
      return .done
    }
  }
}

extension Inquiry {
  fileprivate func confirms(_ summary: ToInspector.TimelineSummary) -> Bool {
    guard terminal.isInteractive else { return false }
    for line in TimelineRows.lines([summary], on: terminal) { terminal.print(line) }
    terminal.write(Array("Delete it? [y/N] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}

extension Inquiry {
  /// Names a timeline; an empty name takes it away.
  func rename(_ timeline: TimelineID, to name: String) async throws {
    let request = FromInspector.Rename {
      $0.timeline = timeline
      $0.name = name
    }
    _ = try await asking.ask(.rename(request)) { _ in true }
  }
}
