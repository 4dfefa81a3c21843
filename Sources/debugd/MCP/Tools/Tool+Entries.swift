import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension AgentTool {
  static let entries = AgentTool(
    name: "entries",
    summary: "Read entries: event, changed paths, error, cause, and call site of each.",
    parameters: [
      .timeline, .optional("from", .number(0...Int64.max), "an entry (default: the last ones)"),
      .optional("backward", .flag),
      .optional("filter", .text, "a predicate, such as: event == \"added\" && state.total < 0"),
      .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    let summary = try await call.inquiry.summary(of: timeline)
    guard let last = summary.last else { return ["entries": [], "note": "It has no entries yet."] }
    let filter =
      call.text("filter") == nil ? nil : try await call.predicate("filter", of: timeline)
    let isBackward = call.flag("backward")
    let start = call.number("from") ?? (isBackward ? last : max(summary.first ?? 0, last - 19))
    var window = Window(
      timeline: timeline, from: start, count: 1000, filter: filter,
      direction: isBackward ? .backward : .forward)
    var reply = ListReply("entries", call.budget)
    reply.members["last"] = .count(last)
    reading: while let part = try await window.next(call.inquiry) {
      let leaves = window.removeLeaves()
      for line in part {
        let leaf = line["seq"]?.int.flatMap { leaves[$0] }
        guard reply.add(await call.view(line, of: timeline, leaf: leaf)) else {
          reply.next = line["seq"]?.int.map { .count($0) }
          break reading
        }
      }
    }
    if let filter {
      reply.note = await call.inquiry.misspelling(in: filter, of: timeline)
    }
    if reply.isEmpty, reply.note == nil {
      reply.note =
        filter == nil
        ? "There are no entries there: the timeline has \(summary.first ?? 0) to \(last)."
        : "No entry matches the filter."
    }
    return reply.json
  }

  /// Finds the entries for which a predicate holds.
  static let find = AgentTool(
    name: "find",
    summary: "Find the first (or last) entries where a predicate holds.",
    parameters: [
      .timeline,
      .required("predicate", .text, "such as: state.total < 0 && !(before.state.total < 0)"),
      .optional("from", .number(0...Int64.max)), .optional("backward", .flag),
      .optional("limit", .number(1...100), "default 5"), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    let predicate = try await call.predicate("predicate", of: timeline)
    let isBackward = call.flag("backward")
    let last = try await call.inquiry.summary(of: timeline).last ?? 0
    let limit = call.number("limit") ?? 5
    let start = call.number("from") ?? (isBackward ? last : 0)
    let answer = try await call.inquiry.search(
      FromInspector.Find {
        $0.timeline = timeline
        $0.predicate = predicate
        $0.from = start
        $0.direction = isBackward ? .backward : .forward
        // One more: it shows where the rest begins.
      }, limit: limit + 1)
    var reply = ListReply("entries", call.budget)
    reply.next = answer.seqs.dropFirst(Int(limit)).first.map { .count($0) }
    for seq in answer.seqs.prefix(Int(limit)) {
      guard let line = try await call.line(seq, of: timeline) else { continue }
      let leaf = answer.leaves?.first { $0.seq == seq }?.path
      guard reply.add(await call.view(line, of: timeline, leaf: leaf)) else {
        reply.next = .count(seq)
        break
      }
    }
    if reply.next != nil { reply.note = "More entries match. To see them, pass 'next' as 'from'." }
    if answer.unknownCount > 0 {
      let why = try await call.inquiry.unknownReasons(answer.unknown ?? [], in: timeline)
      reply.note = "For \(answer.unknownCount) entries the answer is not known: \(why)"
    } else if let hint = await call.inquiry.misspelling(in: predicate, of: timeline) {
      reply.note = hint
    } else if reply.isEmpty {
      reply.note = "It holds at no entry."
    }
    return reply.json
  }
}

extension ToolCall {
  /// An entry as a model reads it, with the paths that it changed.
  func view(_ line: JSONSlice, of timeline: TimelineID, leaf: Pointer? = nil) async -> JSON {
    let changes = await inquiry.changes(by: line, of: timeline)
    return EntryView.json(line, leaf: leaf, changed: changes.map(\.path))
  }

  /// The line of an entry, with large values cut.
  func line(_ seq: Int64, of timeline: TimelineID) async throws -> JSONSlice? {
    let request = FromInspector.Entries {
      $0.timeline = timeline
      $0.from = seq
      $0.count = 1
    }
    let lines = try await backend.ask(request).entries
    return lines.first { $0["seq"]?.int == seq }
  }
}
