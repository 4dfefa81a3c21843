import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Finds the fewest events that lead to a failure.
  static let minimize = AgentTool(
    name: "minimize",
    summary:
      "Find the fewest events after which a predicate holds, as a branch. Pass that branch to "
      + "export_test to get a test that fails until the bug is fixed.",
    parameters: [
      .timeline, .required("predicate"), .optional("seconds", .number(1...600), "default 60"),
      .bytes,
    ],
    need: .host, isReadOnly: false, allowance: .seconds(standard: 60)
  ) { call in
    let timeline = try await call.timeline()
    let predicate = try await call.predicate("predicate", of: timeline)
    let seconds = call.number("seconds") ?? 60
    let request = FromInspector.Minimize {
      $0.timeline = timeline
      $0.predicate = predicate
      $0.seconds = seconds
    }
    let found = try await call.inquiry.minimize(request)
    let summary = try await call.inquiry.summary(of: found.timeline)
    var window = Window(
      timeline: found.timeline, from: summary.first ?? 0, count: 200, filter: nil,
      direction: .forward)
    var reply = ListReply("entries", call.budget)
    reply.members = [
      "branch": .string(found.timeline.text), "events": .count(found.events),
      "runs": .count(found.runs), "each_is_needed": .bool(found.minimal),
    ]
    var shown: Int64 = 0
    for line in try await window.all(call.inquiry) where line["event"] != nil {
      guard reply.add(EntryView.json(line)) else { break }
      shown += 1
    }
    if shown < found.events {
      reply.note = "\(found.events - shown) more events: read the branch with 'entries'."
    } else if found.timeline == timeline {
      reply.note = "No event can be left out of this timeline."
    }
    return reply.json
  }

  /// Says whether today's code does what was recorded.
  static let verify = AgentTool(
    name: "verify",
    summary:
      "Run a recording through today's reducer: 'same', 'differs' with the first entry, or for a "
      + "minimized branch 'passes' once the failure is fixed. Rebuild the host first.",
    parameters: [.timeline, .bytes], need: .host, allowance: .long
  ) { call in
    let timeline = try await call.timeline()
    let request = FromInspector.Verify {
      $0.timeline = timeline
      $0.failure = true
    }
    let verdict = try await call.backend.ask(request)
    var reply: JSON.Object = [
      "outcome": .string(verdict.outcome.rawValue), "entries": .count(verdict.entries),
    ]
    reply["seq"] = verdict.seq.map { .count($0) }
    reply["patch"] = verdict.patch.map { call.changes($0, within: call.budget) }
    reply["failure"] = verdict.failure.map { .string("\($0)") }
    reply["message"] = verdict.message.map { .string($0) }
    return .object(reply)
  }
}
