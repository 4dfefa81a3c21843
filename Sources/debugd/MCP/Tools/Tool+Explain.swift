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
    ],
    allowance: .long
  ) { call in
    let timeline = try await call.timeline()
    var request = FromInspector.Explain()
    request.timeline = timeline
    request.seq = try await call.seq("seq", of: timeline)
    var remark: String?
    if call.text("predicate") != nil {
      let predicate = try await call.predicate("predicate", of: timeline)
      remark = try await call.inquiry.remark(on: [predicate], in: timeline)
      request.predicate = predicate
    }
    request.fewest = request.predicate != nil
    let found = try await call.inquiry.explain(request)
    return call.cut(ExplanationRows(found).agentJSON, note: remark)
  }
}

extension ExplanationRows {
  /// The answer for agents: its links name entries by their numbers instead of their places in a list.
  fileprivate var agentJSON: JSON {
    let json = AgentAdvice.adapted(json, members: ["missing"])
    guard case .object(var object) = json, let entries = object["entries"]?.array,
      let links = object["links"]?.array
    else { return json }
    func name(_ place: JSON?) -> JSON? {
      guard let place = place?.int, entries.indices.contains(Int(clamping: place)) else {
        return nil
      }
      let entry = entries[Int(place)]
      // An entry of another timeline has its id.
      guard let timeline = entry["timeline"]?.string, let seq = entry["seq"]?.int else {
        return entry["seq"]
      }
      return .string("\(timeline):\(seq)")
    }
    object["links"] = .array(
      links.map { link in
        guard case .object(var link) = link else { return link }
        for key in ["from", "to"] { link[key] = name(link[key]) ?? link[key] }
        return .object(link)
      })
    return .object(object)
  }
}

extension ToolCall {
  /// An object whose lists end where the budget does.
  func cut(_ whole: JSON, note: String? = nil) -> JSON {
    var budget = self.budget
    var reply = JSON.Object()
    var isCut = false
    for (key, value) in whole.object ?? [:] {
      guard let elements = value.array else {
        reply[key] = ReplyBudget.cut(value, to: 2 * ReplyBudget.valueBytes)
        _ = reply[key].map { budget.spend($0) }
        continue
      }
      let shown = budget.prefix(of: elements.map { ReplyBudget.cut($0) })
      isCut = isCut || shown.count < elements.count
      reply[key] = .array(shown)
    }
    let more = budget.canGrow ? "; pass 'max_bytes' for more." : "."
    let notes = [note, isCut ? "Lists are cut\(more)" : nil].compactMap(\.self)
    if !notes.isEmpty { reply["note"] = .string(notes.joined(separator: " ")) }
    return .object(reply)
  }
}
