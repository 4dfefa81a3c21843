import JSONCore
import Predicates
import Timelines
import Wire

/// What an exploration found and covered, for people and as JSON.
struct ExplorationRows {
  private let found: ToInspector.Explore
  private let request: FromInspector.Explore

  init(_ found: ToInspector.Explore, of request: FromInspector.Explore) {
    (self.found, self.request) = (found, request)
  }

  private var hasGoal: Bool { request.until != nil || request.always != nil }

  /// Whether what was asked for was found: the predicate if there is one, else anything.
  private var isFound: Bool {
    found.findings.contains { !hasGoal || $0.cause == .predicate }
  }

  var exitCode: ExitCode {
    if isFound { return .done }
    return found.end == .everything ? .failed : .loss
  }

  func lines(on terminal: Terminal) -> [String] {
    var lines: [String] = []
    for finding in found.findings { lines += self.lines(of: finding, on: terminal) }
    lines.append(isFound ? summary : "\(nothing) \(summary)")
    lines.append("")
    lines += events(on: terminal)
    lines += gaps
    return lines
  }

  private func lines(
    of finding: ToInspector.ExploreFinding, on terminal: Terminal
  ) -> [String] {
    let events = Amounts.count(Int64(finding.events.count), "event")
    let id =
      finding.timeline.map { String($0.text.prefix(8)) }
      ?? (finding.problem == nil ? "not repeated" : "no branch")
    var lines = [
      "\(terminal.toned(id, .strong))  \(events)  \(Escaped.text(what(finding)))\(length(finding))"
    ]
    for event in finding.events {
      lines.append("  " + String(decoding: Escaped.json(event.bytes), as: UTF8.self))
    }
    if let problem = finding.problem {
      lines.append("  No branch was made: \(Escaped.text(problem))")
    } else if finding.timeline == nil {
      lines.append("  It did not happen again, so the reducer depends on more than its input.")
    }
    return lines
  }

  /// Whether there may be fewer events.
  private func length(_ finding: ToInspector.ExploreFinding) -> String {
    let mayBeLonger = finding.timeline != nil && !finding.minimal && finding.events.count > 1
    return mayBeLonger ? " (maybe not the fewest events)" : ""
  }

  private func what(_ finding: ToInspector.ExploreFinding) -> String {
    switch finding.cause {
    case .predicate:
      if let until = request.until { return "\(until)" }
      return (finding.broken ?? request.always).map { "breaks \($0)" } ?? ""
    case .error: return "error: \(finding.message ?? "")"
    case .trap: return "trap" + (finding.message.map { ": \($0)" } ?? "")
    case .limit: return "does not end" + (finding.message.map { ": \($0)" } ?? "")
    }
  }

  private var nothing: String {
    guard hasGoal else { return "No event traps or throws." }
    return "Not found."
  }

  private var summary: String {
    let states = Amounts.count(found.states, "state")
    let sent = Amounts.count(found.sent, "event")
    let deep = "\(Amounts.count(found.depth, "event")) deep"
    let walks = found.walks.map { ", and \(Amounts.count($0, "random walk"))" } ?? ""
    return "Sent \(sent) to \(states), \(deep)\(walks). \(end)"
  }

  private var end: String {
    switch found.end {
    case .found: "Found what you asked for."
    case .everything: "These events lead to no other state."
    case .depth: "To search deeper, use a larger --depth."
    case .states: "To search further, use a larger --states."
    case .time: "The time ran out. To search longer, use a larger --seconds."
    case .failed: Escaped.text("The search failed: \(found.problem ?? "")")
    }
  }

  private func events(on terminal: Terminal) -> [String] {
    var table = Table([
      ("event", .left), ("sent", .right), ("effects", .right), ("failures", .right),
    ])
    for event in found.events {
      table.add([
        (event.name, nil), ("\(event.sent)", nil), ("\(event.effects)", nil),
        ("\(event.failures)", event.failures > 0 ? .careful : nil),
      ])
    }
    return table.lines(on: terminal)
  }

  /// What was not reached.
  private var gaps: [String] {
    var lines: [String] = []
    let add = { (title: String, names: [String]?) in
      guard let names, !names.isEmpty else { return }
      lines.append("\(title)  \(Escaped.text(Self.list(names)))")
    }
    if let edges = found.edges {
      let all = edges + Int64(found.untaken?.count ?? 0)
      lines.append("edges taken  \(edges) of \(all)")
    }
    add("edges not taken ", found.untaken)
    add("states reached  ", found.reached)
    add("states not reached", found.unreached)
    add("not sent", found.missing)
    add("not sent after many traps", found.dropped)
    if let count = found.undecodable {
      lines.append("\(Amounts.count(count, "changed payload")) could not be decoded")
    }
    return lines
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).joined(separator: ", ")
    return names.count > 12 ? "\(shown), and \(names.count - 12) more" : shown
  }
}

extension ExplorationRows {
  var json: JSON {
    var object = JSON.Object()
    object["end"] = .string(found.end.rawValue)
    if let problem = found.problem { object["problem"] = .string(problem) }
    object["findings"] = .array(found.findings.map(Self.json))
    object["states"] = .number(JSON.Number(found.states))
    object["sent"] = .number(JSON.Number(found.sent))
    object["depth"] = .number(JSON.Number(found.depth))
    if let walks = found.walks { object["walks"] = .number(JSON.Number(walks)) }
    object["events"] = .array(
      found.events.map { event in
        [
          "name": .string(event.name), "sent": .number(JSON.Number(event.sent)),
          "effects": .number(JSON.Number(event.effects)),
          "failures": .number(JSON.Number(event.failures)),
        ]
      })
    let lists = [
      ("missing", found.missing), ("dropped", found.dropped), ("reached", found.reached),
      ("unreached", found.unreached), ("untaken", found.untaken),
    ]
    for (key, texts) in lists {
      if let texts { object[key] = .array(texts.map { .string($0) }) }
    }
    if let edges = found.edges { object["edges"] = .number(JSON.Number(edges)) }
    if let count = found.undecodable { object["undecodable"] = .number(JSON.Number(count)) }
    return .object(object)
  }

  private static func json(_ finding: ToInspector.ExploreFinding) -> JSON {
    var object = JSON.Object()
    if let timeline = finding.timeline { object["timeline"] = .string(timeline.text) }
    object["cause"] = .string(finding.cause.rawValue)
    object["events"] = .array(finding.events.map(\.value))
    if let message = finding.message { object["message"] = .string(message) }
    object["minimal"] = .bool(finding.minimal)
    if let problem = finding.problem { object["problem"] = .string(problem) }
    if let broken = finding.broken { object["broken"] = .string("\(broken)") }
    return .object(object)
  }
}
