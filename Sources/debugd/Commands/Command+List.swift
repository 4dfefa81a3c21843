import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let list = CommandSpec(
    name: "list", summary: "list timelines, the newest first",
    options: [
      .value("app", "a", "NAME", "only those of that app"),
      .flag("live", "l", "only those that are being written"),
      .flag("all", nil, "a row for each, also where there are many finished machines of one name"),
      .flag("names", nil, "print only names and ids, for shells"),
      .json, .data, .socket,
    ],
    examples: [("debugd list --live", "what is running now")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let found = try await inquiry.asking.timelines(
        app: arguments.value("app"), live: arguments.has("live"))
      if arguments.has("json") {
        for summary in found { inquiry.printJSON(TimelineRows.json(summary)) }
      } else if arguments.has("names") {
        for word in TimelineRows.words(found) { terminal.print(word) }
      } else {
        let rows =
          arguments.has("all") ? found.map { TimelineFold(of: $0) } : TimelineFold.rows(found)
        for line in TimelineRows.lines(rows, on: terminal) { terminal.print(line) }
        if rows.count < found.count {
          terminal.complain("For a row of each machine, add --all.")
        }
        if found.isEmpty { terminal.complain(try await nothing(inquiry, arguments)) }
      }
      return .done
    }
  }

  static let show = CommandSpec(
    name: "show", summary: "show a timeline's app, machine, size, and parent",
    operands: [.timelineOrFile], options: [.json, .data, .socket],
    examples: [("debugd show coin", "the newest timeline of the machine 'coin'")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let summary = try await inquiry.summary(of: timeline)
      let crash = try await inquiry.crash(of: timeline, at: summary.last)
      if arguments.has("json") {
        inquiry.printJSON(TimelineRows.json(summary, crash))
      } else {
        for line in TimelineRows.details(summary, on: terminal) { terminal.print(line) }
        if let text = crash.text { terminal.print(TimelineRows.row("crashed", text, on: terminal)) }
      }
      return .done
    }
  }
}

/// Why a list is empty.
private func nothing(_ inquiry: Inquiry, _ arguments: ParsedArguments) async throws -> String {
  let all = try await inquiry.asking.timelines(app: nil, live: false)
  guard !all.isEmpty else {
    let variable = try ServeSettings.recorderVariable(arguments).map { " with \($0)" } ?? ""
    return """
      There are no timelines yet. Run an app that links Recorder\(variable), or import a file: debugd \
      import FILE
      """
  }
  guard let app = arguments.value("app") else { return "No timeline is being written." }
  let apps = Set(all.compactMap { $0.header["app"]?["name"]?.string })
  guard !apps.contains(app) else {
    return "No timeline of the app \(Escaped.quoted(app)) is being written."
  }
  let known = apps.sorted().prefix(5).map { Escaped.quoted($0) }.joined(separator: ", ")
  return "There is no timeline of an app \(Escaped.quoted(app)). Recorded apps: \(known)."
}
