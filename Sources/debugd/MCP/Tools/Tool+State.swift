import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Shows state and outputs after an entry.
  static let state = AgentTool(
    name: "state",
    summary: "State and outputs after an entry. Large parts are shown as {\"$cut\": bytes}.",
    parameters: [
      .timeline, .optional("seq", .number(0...Int64.max), "default: the last entry"),
      .optional("path", .text, "/state/cart/total, /outputs/count"),
      .optional("depth", .number(1...64)), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    let seq = try await call.seq("seq", of: timeline)
    let path = try call.text("path").map { try call.inquiry.path($0) }
    let (depth, budget) = (call.number("depth"), Int64(call.budget.left))
    let answer = try await call.backend.ask(
      FromInspector.State {
        $0.timeline = timeline
        $0.seq = seq
        $0.path = path
        $0.depth = depth.map { $0 + 1 }
        $0.bytes = budget
      })
    guard let value = answer.value else {
      let absent = await call.inquiry.absence(of: path?.tokens ?? [], in: timeline)
      let why = absent?.sentence(.pointer) ?? "Entry \(seq) has no value there."
      return ["seq": .count(seq), "note": .string(why)]
    }
    return ["seq": .count(seq), "value": ReplyBudget.cut(value.value, to: Int(budget))]
  }

  /// Compares two moments, or two timelines.
  static let diff = AgentTool(
    name: "diff",
    summary:
      "Compare two moments (a and b), or with 'other' a timeline with another one, such as a branch "
      + "with its parent: how many entries differ, and the first that does.",
    parameters: [
      .timeline, .optional("a", .number(0...Int64.max)), .optional("b", .number(0...Int64.max)),
      .optional("other", .text, "another timeline"), .optional("path"), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    if call.text("other") != nil {
      let other = try await call.timeline("other")
      return try await call.comparison(of: timeline, with: other)
    }
    guard call.number("a") != nil else { throw ToolError("diff needs 'a' and 'b', or 'other'.") }
    let a = EntryReference(timeline: timeline, seq: try await call.seq("a", of: timeline))
    let b = EntryReference(timeline: timeline, seq: try await call.seq("b", of: timeline))
    let path = try call.text("path").map { try call.inquiry.path($0) }
    return try await call.difference(a, b, path)
  }
}

extension ToolCall {
  func difference(
    _ a: EntryReference, _ b: EntryReference, _ path: Pointer? = nil,
    within part: ReplyBudget? = nil, advice: String? = nil
  ) async throws -> JSON {
    let request = FromInspector.Diff {
      $0.a = a
      $0.b = b
      $0.path = path
    }
    let patch = try await backend.ask(request).patch
    let budget = part ?? budget
    let parts = budget.canGrow ? "pass 'path' or 'max_bytes'" : "pass 'path'"
    return changes(patch, within: budget, advice: advice ?? parts)
  }

  /// The operations of a patch, as many as fit into a part of the reply: with their whole values if
  /// all do, and otherwise with values that are cut to equal shares.
  ///
  /// - Parameter advice: what shows the rest, if it is not a larger reply.
  func changes(
    _ patch: JSONSlice, within budget: ReplyBudget, advice: String? = nil
  ) -> JSON {
    let advice = advice ?? (budget.canGrow ? "pass 'max_bytes'" : nil)
    let whole = patch.elements.map(\.value)
    let bytes = whole.reduce(0) { $0 + ReplyBudget.bytes(of: $1) + 1 }
    let share = max(ReplyBudget.valueBytes, budget.left / max(1, whole.count))
    let operations =
      bytes <= budget.left ? whole : whole.map { ReplyBudget.cut($0, to: share) }
    var list = budget
    let shown = list.prefix(of: operations)
    var reply: JSON.Object = ["changes": .array(shown)]
    let more = operations.count - shown.count
    if shown.isEmpty {
      reply["note"] = "There is no difference."
    } else if more > 0 {
      let way = advice.map { " To see them, \($0)." } ?? ""
      reply["note"] = .string("\(more) more changes.\(way)")
    } else if shown != whole {
      let way = advice.map { " To see them whole, \($0)." } ?? ""
      reply["note"] = .string("Values are cut.\(way)")
    }
    return .object(reply)
  }

  func comparison(of timeline: TimelineID, with other: TimelineID) async throws -> JSON {
    let request = FromInspector.Compare {
      $0.timeline = timeline
      $0.with = other
    }
    let answer = try await backend.ask(request)
    guard case .object(var reply) = ProofRows.json(of: answer) else { return .null }
    reply["patch"] = answer.patch.map { changes($0, within: budget.divided(by: 2)) }
    if let paths = reply["paths"]?.array {
      var budget = ReplyBudget(2048)
      let shown = budget.prefix(of: paths.map { ReplyBudget.cut($0) })
      reply["paths"] = .array(shown)
      if shown.count < paths.count { reply["more_paths"] = .count(paths.count - shown.count) }
    }
    if answer.isSame { reply["note"] = "Their entries are the same." }
    return .object(reply)
  }
}
