import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Says what led to an entry.
  static let explain = AgentTool(
    name: "explain",
    summary:
      "What led to an entry, in one answer: values that the predicate reads and who set them, causes, "
      + "fewest events, first entry that a healthy recording lacks.",
    parameters: [
      .timeline, .optional("seq", .number(0...Int64.max)), .optional("predicate"), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    var request = FromInspector.Explain()
    request.timeline = timeline
    request.seq = try await call.seq("seq", of: timeline)
    if call.text("predicate") != nil {
      request.predicate = try await call.predicate("predicate", of: timeline)
    }
    request.fewest = request.predicate != nil
    let found = try await call.inquiry.explain(request)
    return call.cut(ExplanationRows(found).json)
  }
}

extension ToolCall {
  /// An object whose lists end where the budget does.
  func cut(_ whole: JSON) -> JSON {
    var budget = self.budget
    var reply = JSON.Object()
    var isCut = false
    for (key, value) in whole.object ?? [:] {
      guard let elements = value.array else {
        reply[key] = ReplyBudget.cut(value, to: 2 * ReplyBudget.valueBytes)
        _ = reply[key].map { budget.spend($0, isFirst: false) }
        continue
      }
      let shown = budget.prefix(of: elements.map { ReplyBudget.cut($0) })
      isCut = isCut || shown.count < elements.count
      reply[key] = .array(shown)
    }
    if isCut { reply["note"] = "Lists are cut to max_bytes." }
    return .object(reply)
  }
}
