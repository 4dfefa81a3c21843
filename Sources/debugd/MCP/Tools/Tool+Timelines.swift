import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  static let timelines = AgentTool(
    name: "timelines",
    summary: "List recordings, newest first. Start here if you do not know which one matters.",
    parameters: [
      .optional("app"), .optional("machine"), .optional("live", .flag, "only running machines"),
      .optional("errors", .flag, "only recordings with errors or traps"),
      .optional("after", .text, "'next' of the previous reply"), .bytes,
    ]
  ) { call in
    let all = try await call.backend.timelines(app: call.text("app"), live: call.flag("live"))
    let chosen = all.filter { summary in
      call.text("machine").map { $0 == summary.header["machine"]?["name"]?.string } ?? true
    }
    var reply = ListReply("timelines", call.budget)
    for summary in try after(call.text("after"), in: chosen) {
      let errors = try await call.errorCount(of: summary)
      if call.flag("errors"), errors == 0 { continue }
      guard reply.add(row(summary, errors: errors)) else {
        reply.next = .string(summary.header["timeline"]?.string ?? "")
        break
      }
    }
    if reply.isEmpty { reply.note = call.emptiness(all: all.count, chosen: chosen.count) }
    return reply.json
  }

  /// The summaries from the one on that a reply named as the next.
  private static func after(
    _ id: String?, in summaries: [ToInspector.TimelineSummary]
  ) throws(ToolError) -> ArraySlice<ToInspector.TimelineSummary> {
    guard let id else { return summaries[...] }
    guard let place = summaries.firstIndex(where: { $0.header["timeline"]?.string == id }) else {
      throw ToolError(
        "'after' names no recording of this list. To begin again, call timelines without 'after'.")
    }
    return summaries[place...]
  }

  private static func row(_ summary: ToInspector.TimelineSummary, errors: Int64) -> JSON {
    let header = summary.header
    var row: JSON.Object = [
      "id": .string(header["timeline"]?.string ?? ""),
      "app": .string(header["app"]?["name"]?.string ?? ""),
      "machine": .string(header["machine"]?["name"]?.string ?? ""),
      "entries": .count(summary.entries),
      "started": .string(header["started"]?.string ?? ""),
    ]
    row["name"] = (summary.name ?? header["parent"]?["name"]?.string).map { .string($0) }
    row["last"] = summary.last.map { .count($0) }
    if summary.live { row["live"] = true }
    if errors > 0 { row["errors"] = .count(errors) }
    row["branch_of"] = header["parent"]?["timeline"]?.string.map { .string($0) }
    return ReplyBudget.cut(.object(row))
  }
}

extension ToolCall {
  /// Why a list of recordings is empty.
  fileprivate func emptiness(all: Int, chosen: Int) -> String {
    guard all > 0 else {
      let what = flag("live") ? "is live" : "is recorded"
      return text("app") == nil ? "Nothing \(what)." : "Nothing \(what) of an app with this name."
    }
    if chosen == 0 {
      let count = Amounts.count(Int64(all), "recording")
      return "\(count), but none of a machine with this name."
    }
    // Without 'errors', each that matches is in the list.
    guard text("after") == nil else { return "No more recordings have errors." }
    if chosen == 1 { return "1 recording matches, but has no errors." }
    return "\(Amounts.count(Int64(chosen))) recordings match, but none has errors."
  }

  /// How many entries of a timeline have an error.
  func errorCount(of summary: ToInspector.TimelineSummary) async throws -> Int64 {
    guard let last = summary.last,
      let timeline = summary.header["timeline"]?.string.flatMap({ TimelineID($0) })
    else { return 0 }
    let request = FromInspector.Overview {
      $0.timeline = timeline
      $0.from = summary.first ?? 0
      $0.to = last
      $0.buckets = 1
    }
    let frame = try await backend.ask(request)
    guard frame.columns.count > 1 else { return 0 }
    return frame.columns[1].reduce(0) { $0 + Int64($1) }
  }
}
