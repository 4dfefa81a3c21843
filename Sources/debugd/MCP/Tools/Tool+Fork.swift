import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Makes a branch: what would have happened.
  static let fork = AgentTool(
    name: "fork",
    summary:
      "Change the past: the machine's own reducer recomputes everything after the edits, as a branch. "
      + "Edits: {\"drop\":7} {\"drop\":[7,9]} {\"replace\":7,\"event\":E} {\"insert\":E,\"before\":7} "
      + "{\"move\":7,\"before\":3} {\"append\":E} {\"cut\":12}; numbers are entries of the timeline. "
      + "Returns the first entry that differs and the difference at the end.",
    parameters: [
      .timeline, .required("edits", .objects), .optional("name"),
      .optional("keep", .flag, "otherwise the branch is deleted after an hour"), .bytes,
    ],
    need: .host, isReadOnly: false, allowance: .fork
  ) { call in
    let timeline = try await call.timeline()
    var request = FromInspector.Fork()
    request.timeline = timeline
    request.edits = try JSONSlice(validating: (call.arguments["edits"] ?? []).encoded())
    request.name = call.flag("keep") ? call.text("name") : call.scratch.name(call.text("name"))
    let (branch, pending) = try await call.branch(request)
    if let pending { return ["branch": .string(branch.text), "note": .string(pending)] }
    return try await call.outcome(of: branch, parent: timeline)
  }
}

extension ToolCall {
  /// How long a call waits for a branch: clients give up after a minute.
  static let forkLimit = Duration.seconds(50)

  /// Makes a branch, and waits until it is computed; if the wait ends before, says why.
  fileprivate func branch(
    _ request: FromInspector.Fork
  ) async throws -> (TimelineID, pending: String?) {
    // It begins before the question: a daemon may take long to answer it.
    let limit = Task { [clock] in try await clock.sleep(for: Self.forkLimit) }
    defer { limit.cancel() }
    return try await withOwnConnection { inquiry, news in
      let branch = try await inquiry.asking.ask(request).timeline
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          group.addTask {
            _ = try await BranchWait(inquiry, branch).wait(news) { throw PendingBranch(noHost: $0) }
          }
          group.addTask {
            try await withTaskCancellationHandler {
              try await limit.value
            } onCancel: {
              limit.cancel()
            }
            throw PendingBranch.slow
          }
          try await group.next()
        }
        return (branch, nil)
      } catch let pending as PendingBranch {
        return (branch, pending.description)
      }
    }
  }

  fileprivate func outcome(of branch: TimelineID, parent: TimelineID) async throws -> JSON {
    let summary = try await inquiry.summary(of: branch)
    var reply: JSON.Object = ["branch": .string(branch.text)]
    reply["last"] = summary.last.map { .count($0) }
    if let ended = summary.ended {
      reply["ended_early"] = .string(ended.rawValue)
      if let last = summary.last, let line = try await line(last, of: branch) {
        reply["last_entry"] = EntryView.json(line)
      }
    }
    let comparison = try await comparison(of: parent, with: branch)
    for key in ["equal", "differing", "alone", "a", "b", "patch", "note"] {
      reply[key] = comparison[key]
    }
    if let old = try await inquiry.summary(of: parent).last, let new = summary.last {
      reply["at_the_end"] = try await difference(
        EntryReference(timeline: parent, seq: old), EntryReference(timeline: branch, seq: new),
        within: budget.divided(by: 2), advice: "call 'state' with the branch")
    }
    return .object(reply)
  }
}

extension ToolCall {
  /// Lends a connection that nothing else uses, with its news: a connection has one reader of news.
  func withOwnConnection<Result: Sendable>(
    _ body: (Inquiry, AsyncStream<ToInspector>) async throws -> Result
  ) async throws -> Result {
    let own = try await connect()
    let result: Swift.Result<Result, any Error>
    do {
      let waiting = Inquiry(
        asking: own, arguments: inquiry.arguments, terminal: inquiry.terminal)
      result = .success(
        try await withTaskCancellationHandler {
          try await body(waiting, await own.news())
        } onCancel: {
          // The daemon may never answer what it was asked.
          Task { await own.close() }
        })
    } catch BackendError.disconnected {
      // The shared connection has not ended.
      result = .failure(ToolError.interrupted)
    } catch {
      result = .failure(error)
    }
    await own.close()
    return try result.get()
  }
}

/// Why a call does not wait for its branch any longer.
private struct PendingBranch: Error, CustomStringConvertible {
  private static let later =
    "It goes on by itself: compare it later, with 'diff' and 'other'."

  let description: String

  init(noHost reason: String) {
    description = "The branch waits for a host: \(reason) \(Self.later)"
  }

  private init(_ description: String) { self.description = description }

  static let slow = PendingBranch("The branch is still being computed. \(later)")
}
