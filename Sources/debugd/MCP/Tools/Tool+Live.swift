import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Sends an event to a running machine.
  static let dispatch = AgentTool(
    name: "dispatch",
    summary: "Send an event to a live machine of the running app; it is paused for that moment.",
    parameters: [.timeline, .required("event", .any)], need: .control, isReadOnly: false
  ) { call in
    let timeline = try await call.liveMachine()
    let event = try JSONSlice(validating: (call.arguments["event"] ?? .null).encoded())
    let hold = FromInspector.Hold {
      $0.timeline = timeline
      $0.policy = .queue
    }
    let lease = try await call.done(.hold(hold)).lease ?? ""
    let result: Result<ToInspector.Done, any Error>
    do {
      let request = FromInspector.Dispatch {
        $0.timeline = timeline
        $0.lease = lease
        $0.event = event
      }
      result = .success(try await call.done(.dispatch(request)))
    } catch {
      result = .failure(error)
    }
    // Whatever happened, the app goes on.
    let resume = FromInspector.Resume {
      $0.timeline = timeline
      $0.lease = lease
    }
    _ = try? await call.done(.resume(resume))
    let done = try result.get()
    guard let seq = done.seq, let line = try await call.line(seq, of: timeline) else {
      return ["note": "Sent."]
    }
    return EntryView.json(line)
  }

  /// Starts an executable that runs reducers.
  static let addHost = AgentTool(
    name: "add_host",
    summary:
      "Start an executable as a host, so that branches can be made; path on the daemon's machine.",
    parameters: [.required("executable"), .optional("app")], need: .hosts, isReadOnly: false
  ) { call in
    let request = FromInspector.Host {
      $0.executable = call.text("executable") ?? ""
      $0.app = call.text("app")
    }
    _ = try await call.done(.host(request))
    let hosts = try await call.backend.ask(FromInspector.Hosts()).hosts
    let list = hosts.map { AgentAdvice.adapted(HostRows.json($0), members: ["problem"]) }
    var budget = call.budget
    return ["hosts": .array(budget.prefix(of: list.map { ReplyBudget.cut($0, to: 1024) }))]
  }
}

extension ToolCall {
  /// The running machine that the argument names.
  fileprivate func liveMachine() async throws -> TimelineID {
    let word = text("timeline") ?? ""
    do {
      return try await backend.timeline(meaning: word, live: true)
    } catch let unclear as TimelineChoice.Unclear {
      guard try await !backend.timelines(live: true).isEmpty else {
        throw ToolError("No machine is live. Ask the user to start the app.")
      }
      // A recording of a program that has ended may have the name.
      guard (try? await backend.timeline(meaning: word)) != nil else { throw unclear }
      throw ToolError(
        "\(Escaped.quoted(word)) is not live. To list the machines that are, call timelines with "
          + "live=true.")
    }
  }

  fileprivate func done(_ request: FromInspector) async throws -> ToInspector.Done {
    try await backend.ask(request) { if case .done(let done) = $0 { done } else { nil } }
  }
}
