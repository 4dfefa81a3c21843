import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Searches for events that lead to a failure.
  static let explore = AgentTool(
    name: "explore",
    summary:
      "Search for events after an entry that make 'until' true or break 'always', trap, or throw; each "
      + "finding is a branch.",
    parameters: [
      .timeline, .optional("from", .number(0...Int64.max)), .optional("until"),
      .optional("always"), .optional("seconds", .number(1...600)), .bytes,
    ],
    need: .host, isReadOnly: false, allowance: .seconds(standard: 60)
  ) { call in
    let timeline = try await call.timeline()
    var request = FromInspector.Explore()
    request.timeline = timeline
    request.from = try await call.seq("from", of: timeline)
    if call.text("until") != nil {
      request.until = try await call.predicate("until", of: timeline)
    }
    if call.text("always") != nil {
      request.always = try await call.predicate("always", of: timeline)
    }
    request.seconds = call.number("seconds")
    let found = try await call.backend.ask(request)
    return call.cut(ExplorationRows(found, of: request).agentJSON)
  }
}

extension ExplorationRows {
  /// The answer for agents.
  fileprivate var agentJSON: JSON {
    let json = AgentAdvice.adapted(json, members: ["problem"])
    guard case .object(var object) = json, let findings = object["findings"]?.array else {
      return json
    }
    object["findings"] = .array(findings.map { AgentAdvice.adapted($0, members: ["problem"]) })
    return .object(object)
  }
}
