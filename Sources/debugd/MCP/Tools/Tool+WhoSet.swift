import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  static let whoSet = AgentTool(
    name: "who_set",
    summary:
      "Which entries changed a value, newest first: event, old and new value, call site, and the "
      + "chain of causes. Each link is 'recorded' or 'inferred' (an earlier change of the value).",
    parameters: [
      .timeline, .required("path", .text, "/state/cart/total, /outputs/count"),
      .optional("before", .number(0...Int64.max), "only changes before this entry"),
      .optional("limit", .number(1...50), "default 3"), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    let path = try call.inquiry.path(call.text("path") ?? "")
    let last = try await call.inquiry.summary(of: timeline).last ?? 0
    let (before, limit) = (call.number("before") ?? last + 1, call.number("limit") ?? 3)
    let answer = try await call.backend.ask(
      FromInspector.Changes {
        $0.timeline = timeline
        $0.path = path
        $0.before = before
        // One more: it shows where the value before the oldest one came from.
        $0.limit = limit + 1
      })
    var reply = ListReply("changes", call.budget)
    for (place, change) in answer.changes.prefix(Int(limit)).enumerated() {
      let earlier = answer.changes.dropFirst(place + 1).first?.seq
      guard reply.add(try await call.story(of: change, after: earlier, in: timeline)) else {
        reply.next = .count(change.seq + 1)
        break
      }
    }
    if reply.next == nil, answer.changes.count > Int(limit) || answer.more {
      reply.next = answer.changes.prefix(Int(limit)).last.map { .count($0.seq) }
    }
    if reply.isEmpty {
      reply.note =
        await call.inquiry.absence(of: path.tokens, in: timeline)?.sentence(.pointer)
        ?? "No entry before \(before) changed it."
    }
    return reply.json
  }
}

extension ToolCall {
  /// How many causes a chain names.
  private static let maximumCauses = 8

  /// A change, with what led to it.
  fileprivate func story(
    of change: ToInspector.Change, after earlier: Int64?, in timeline: TimelineID
  ) async throws -> JSON {
    let line = try await line(change.seq, of: timeline)
    var story: JSON.Object = ["seq": .count(change.seq)]
    story["event"] = line?["event"].map { ReplyBudget.cut($0.value) }
    if let site = line?["at"]?.value {
      story["at"] = ReplyBudget.cut(site)
      story["source"] = await source(of: change.seq, in: timeline)
    }
    story["old"] = change.old.map { ReplyBudget.cut($0.value) } ?? "(absent)"
    story["new"] = change.new.map { ReplyBudget.cut($0.value) } ?? "(absent)"
    story["error"] = line?["error"].map { ReplyBudget.cut($0.value) }
    var links = try await causes(of: line, in: timeline)
    if let earlier { links.append(["previous_change": .count(earlier), "edge": "inferred"]) }
    if !links.isEmpty { story["because"] = .array(links) }
    return .object(story)
  }

  /// The lines around the call site of a change, by their numbers; `nil` if the daemon does not have
  /// its source.
  private func source(of seq: Int64, in timeline: TimelineID) async -> JSON? {
    let request = FromInspector.Source {
      $0.timeline = timeline
      $0.seq = seq
      $0.around = 2
    }
    guard let found = try? await backend.ask(request) else { return nil }
    var lines = JSON.Object()
    for (place, line) in found.lines.enumerated() {
      lines["\(found.first &+ Int64(place))"] = .string(line.cut(toScalars: 120))
    }
    return ["file": ReplyBudget.cut(.string(found.file), to: 200), "lines": .object(lines)]
  }

  /// The chain of recorded causes, the nearest first.
  private func causes(of line: JSONSlice?, in timeline: TimelineID) async throws -> [JSON] {
    var links: [JSON] = []
    var current = CauseReference(of: line, in: timeline)
    while let place = current, links.count < Self.maximumCauses {
      guard let line = try await self.line(place.seq, of: place.timeline) else { break }
      var link: JSON.Object = ["seq": .count(place.seq), "edge": "recorded"]
      if place.timeline != timeline { link["timeline"] = .string(place.timeline.text) }
      link["event"] = line["event"].map { ReplyBudget.cut($0.value, to: 200) }
      link["at"] = line["at"].map { ReplyBudget.cut($0.value, to: 200) }
      links.append(.object(link))
      current = CauseReference(of: line, in: place.timeline)
    }
    if let current { links.append(["earlier_causes_from": .count(current.seq)]) }
    return links
  }
}
