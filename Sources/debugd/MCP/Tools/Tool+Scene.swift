import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension AgentTool {
  /// Everything that a first look at a failure needs.
  static let scene = AgentTool(
    name: "scene",
    summary:
      "One look at a recording: what it is, its events with counts, the first error or trap, gaps, "
      + "the last entries, outputs, what grows, marks, and whether branches can be made.",
    parameters: [.timeline, .bytes]
  ) { call in
    let timeline = try await call.timeline()
    let summary = try await call.inquiry.summary(of: timeline)
    var scene = call.head(of: summary, timeline)
    guard let last = summary.last else {
      scene["note"] = "It has no entries yet."
      return .object(scene)
    }
    let recent = try await call.recent(of: summary, timeline)
    scene["events"] = recent.counts
    scene["events_counted_from"] = recent.first > 0 ? .count(recent.first) : nil
    let error = try await call.first("error != null", in: timeline)
    scene["first_error"] = error.map { ReplyBudget.cut($0, to: 2 * ReplyBudget.valueBytes) }
    let gaps = try await call.gaps(in: timeline)
    scene["gaps"] = gaps.map { .array(Array($0.prefix(ToolCall.shownGaps))) }
    if let gaps, gaps.count > ToolCall.shownGaps {
      scene["note"] = "More gaps: to see all, call 'find' with the predicate gap != null."
    }
    scene["outputs"] = try await call.outputs(after: last, of: timeline)
    scene["grows"] = try await call.growing(in: timeline)
    scene["host"] = try await call.hostName(for: summary)
    var budget = call.budget
    let head = ReplyBudget.fit(.object(scene), to: budget.left * 2 / 3)
    _ = budget.spend(head)
    // The newest matter most; the reply shows them in their order.
    var views: [JSON] = []
    for line in recent.lines.suffix(10).reversed() {
      views.append(await call.view(line, of: timeline))
    }
    let newest = budget.prefix(of: views)
    return head.adding("last_entries", .array(newest.reversed()))
  }
}

extension ToolCall {
  /// How many of the newest entries are read to count events.
  private static let countedEntries: Int64 = 2000
  fileprivate static let shownGaps = 5
  private static let shownMarks = 10

  fileprivate func head(
    of summary: ToInspector.TimelineSummary, _ timeline: TimelineID
  ) -> JSON.Object {
    let header = summary.header
    var head: JSON.Object = [
      "timeline": .string(timeline.text), "entries": .count(summary.entries),
    ]
    head["app"] = header["app"].map { ReplyBudget.cut($0.value, to: 300) }
    head["machine"] = header["machine"].map { ReplyBudget.cut($0.value, to: 300) }
    head["started"] = header["started"]?.value
    head["first"] = summary.first.map { .count($0) }
    head["last"] = summary.last.map { .count($0) }
    if summary.live { head["live"] = true }
    if let parent = header["parent"] {
      head["branch_of"] = parent["timeline"]?.value
      head["edits"] = parent["edits"].map { ReplyBudget.cut($0.value) }
      head["failure"] = parent["failure"].map { ReplyBudget.cut($0.value) }
    }
    head["ended"] = summary.ended.map { .string($0.rawValue) }
    let all = summary.marks ?? []
    let marks = all.prefix(Self.shownMarks).map { mark in
      ReplyBudget.cut(["seq": .count(mark.seq), "text": .string(mark.text)], to: 200)
    }
    if !marks.isEmpty { head["marks"] = .array(Array(marks)) }
    if all.count > marks.count { head["more_marks"] = .count(all.count - marks.count) }
    return head
  }

  /// The newest entries, and how often each event is among them.
  fileprivate func recent(
    of summary: ToInspector.TimelineSummary, _ timeline: TimelineID
  ) async throws -> (lines: [JSONSlice], counts: JSON, first: Int64) {
    let last = summary.last ?? 0
    let first = max(summary.first ?? 0, last - Self.countedEntries + 1)
    var window = Window(
      timeline: timeline, from: first, count: Self.countedEntries, filter: nil, direction: .forward)
    let lines = try await window.all(inquiry)
    var counts: [String: Int64] = [:]
    for line in lines {
      guard let event = line["event"] else { continue }
      counts[Entry.name(of: event) ?? "(unnamed)", default: 0] += 1
    }
    var object = JSON.Object()
    let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (name, count) in ranked.prefix(24) { object[name.cut(toScalars: 60)] = .count(count) }
    let others = ranked.dropFirst(24).count
    if others > 0 {
      object["(\(others) other events)"] = .count(ranked.dropFirst(24).map(\.value).reduce(0, +))
    }
    return (lines, .object(object), first > (summary.first ?? 0) ? first : 0)
  }

  /// The parts of the state that grow most; `nil` if none grows by much.
  fileprivate func growing(in timeline: TimelineID) async throws -> JSON? {
    let answer = try await backend.ask(
      FromInspector.Growth {
        $0.timeline = timeline
        $0.samples = 4
        $0.limit = 3
      })
    let parts = answer.paths.compactMap { path -> JSON? in
      guard let first = path.bytes.first, let last = path.bytes.last, last &- first >= 1024 else {
        return nil
      }
      let text = ReplyBudget.cut(.string(path.path.description), to: 300)
      return ["path": text, "bytes": .array([.count(first), .count(last)])]
    }
    return parts.isEmpty ? nil : .array(parts)
  }

  /// The first entry for which a predicate holds.
  fileprivate func first(_ predicate: String, in timeline: TimelineID) async throws -> JSON? {
    let found = try await search(predicate, in: timeline, limit: 1)
    guard let line = found.first else { return nil }
    return await view(line, of: timeline)
  }

  /// The first gaps: one more than are shown, if there are more.
  fileprivate func gaps(in timeline: TimelineID) async throws -> [JSON]? {
    let lines = try await search("gap != null", in: timeline, limit: Int64(Self.shownGaps) + 1)
    guard !lines.isEmpty else { return nil }
    return lines.map { line in
      var gap: JSON.Object = ["before": line["seq"]?.value ?? .null]
      gap["lost"] = line["gap"]?["lost"]?.value
      gap["why"] = line["gap"]?["why"].map { ReplyBudget.cut($0.value, to: 200) }
      return .object(gap)
    }
  }

  private func search(
    _ predicate: String, in timeline: TimelineID, limit: Int64
  ) async throws -> [JSONSlice] {
    let answer = try await inquiry.search(
      FromInspector.Find {
        $0.timeline = timeline
        $0.predicate = (try? Predicates.Predicate(predicate)) ?? .always
      }, limit: limit)
    var lines: [JSONSlice] = []
    for seq in answer.seqs.prefix(Int(limit)) {
      if let line = try await line(seq, of: timeline) { lines.append(line) }
    }
    return lines
  }

  fileprivate func outputs(after seq: Int64, of timeline: TimelineID) async throws -> JSON? {
    let request = FromInspector.State {
      $0.timeline = timeline
      $0.seq = seq
      $0.path = Pointer(tokens: ["outputs"])
      $0.bytes = 1024
    }
    let answer = try? await backend.ask(request)
    return (answer?.value).map { ReplyBudget.cut($0.value, to: 1200) }
  }

  /// The host that would make branches of a timeline.
  fileprivate func hostName(
    for summary: ToInspector.TimelineSummary
  ) async throws -> JSON {
    let hosts = try await backend.ask(FromInspector.Hosts()).hosts
    let make = summary.header["machine"]?["make"]?.string
    let app = summary.header["app"]?["name"]?.string
    let host = hosts.first { host in
      host.problem == nil && make.map(host.makes.contains) == true
        && (host.app == nil || host.app == app)
    }
    if let host { return .string(host.name) }
    return make == nil
      ? "none: the recording does not say how its machine is made"
      : "none: no host makes this machine, so it can only be looked at"
  }
}
