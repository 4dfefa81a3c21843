import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

/// Serves the tools to one client: lines in, lines out.
actor MCPServer {
  /// What the user allows beyond looking and branching.
  struct Consent: Sendable {
    var control = false
    var hosts = false
  }

  /// How many calls run at a time; more are refused.
  private static let maximumCalls = 16
  /// How long the daemon may take to say whether there are hosts, before tools without one are listed.
  private static let hostsLimit = Duration.seconds(30)
  /// How long the daemon may take to answer at all, after a call that took too long.
  private static let probeLimit = Duration.seconds(5)

  private let connection: AgentConnection
  private let arguments: ParsedArguments
  private let consent: Consent
  private let scratch: ScratchBranches
  private let clock: any Clock<Duration>
  private let exports = LastExport()
  private let write: @Sendable ([UInt8]) -> Void
  private let quiet: Terminal
  private var session: MCPSession
  private var calls: [JSON: Task<Void, Never>] = [:]
  private var offered: [String]?

  /// - Parameter write: receives each line, without its end.
  init(
    _ connection: AgentConnection, _ arguments: ParsedArguments, consent: Consent,
    now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock(),
    write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.connection, self.arguments, self.consent) = (connection, arguments, consent)
    scratch = ScratchBranches(now: now)
    self.clock = clock
    self.write = write
    // Tools answer with values; nothing of theirs is for a terminal.
    let nothing = FileHandle.nullDevice
    quiet = Terminal(
      output: nothing, errors: nothing, isInteractive: false, hasColor: false, columns: nil)
    session = MCPSession(instructions: SkillText.instructions)
  }

  /// Receives a line. Tools run next to each other, and reply in the order in which they end.
  func receive(_ line: [UInt8]) {
    switch session.receive(line) {
    case nil: break
    case .send(let reply): send(reply)
    case .cancel(let id): calls[id]?.cancel()
    case .listTools(let pending): list(pending)
    case .call(let pending, let name, let arguments): begin(pending, name, arguments)
    }
  }

  /// Waits for the calls that still run, once no more lines come.
  func finish() async {
    for call in Array(calls.values) { await call.value }
    await connection.close()
  }

  /// A client may write lines to a terminal, and they repeat ids of its own.
  private func send(_ message: JSON) { write(Escaped.json(message.encoded())) }

  /// Lists the tools next to the calls: the daemon may not answer, and the client goes on.
  private func list(_ pending: MCPSession.Pending) {
    if let problem = problem(beginning: pending) {
      return send(MCPError(.invalidRequest, problem, id: pending.id).reply)
    }
    calls[pending.id] = Task {
      let tools = await self.available()
      self.calls[pending.id] = nil
      // A canceled request gets no reply.
      guard !Task.isCancelled else { return }
      self.offered = tools.map(\.name)
      self.send(self.session.tools(pending, tools.map(\.description)))
    }
  }

  /// Why a request cannot begin now.
  private func problem(beginning pending: MCPSession.Pending) -> String? {
    if calls[pending.id] != nil { return "A call with this id is still running." }
    guard calls.count >= Self.maximumCalls else { return nil }
    return "\(Self.maximumCalls) calls are running. Wait for one of them to end."
  }

  /// The tools that can work now.
  private func available() async -> [AgentTool] {
    let use = AgentConnection.Use()
    let hasHost = await TimeLimit.run(Self.hostsLimit, on: clock) { [connection] in
      (try? await connection.withBackend(for: use) { try await Self.hasHost($0) }) ?? false
    }
    await connection.end(use)
    return AgentTool.all.filter { tool in
      switch tool.need {
      case .nothing: true
      case .host: hasHost ?? false
      case .control: consent.control
      case .hosts: consent.hosts
      }
    }
  }

  private static func hasHost(_ backend: any Backend) async throws -> Bool {
    try await backend.ask(FromInspector.Hosts()).hosts.contains { $0.problem == nil }
  }

  private func begin(
    _ pending: MCPSession.Pending, _ name: String, _ arguments: JSON.Object
  ) {
    guard let tool = AgentTool.all.first(where: { $0.name == name }) else {
      let names = AgentTool.all.map(\.name)
      let near = Suggestion.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
      return fail(pending, "There is no tool \(Escaped.quoted(name.cut(toScalars: 80))).\(near)")
    }
    if let refusal = refusal(of: tool) { return fail(pending, refusal) }
    if let problem = problem(beginning: pending) { return fail(pending, problem) }
    calls[pending.id] = Task {
      await self.call(tool, arguments, pending)
      self.calls[pending.id] = nil
      await self.reportChangedTools()
    }
  }

  private func refusal(of tool: AgentTool) -> String? {
    switch tool.need {
    case .control where !consent.control:
      "The user has not allowed this. To allow it, start the server with --allow control."
    case .hosts where !consent.hosts:
      "The user has not allowed this. To allow it, start the server with --allow hosts."
    case .nothing, .host, .control, .hosts: nil
    }
  }

  private func call(
    _ tool: AgentTool, _ arguments: JSON.Object, _ pending: MCPSession.Pending
  ) async {
    let limit = tool.allowance.duration(arguments)
    let use = AgentConnection.Use()
    let outcome = await TimeLimit.run(limit, on: clock) {
      await self.outcome(of: tool, arguments, use)
    }
    // A canceled request gets no reply.
    guard !Task.isCancelled else { return await connection.end(use) }
    if outcome == nil {
      await connection.abandon(use)
    } else {
      await connection.end(use)
    }
    do {
      guard let answer = try outcome?.get() else { throw await lateness(of: tool, limit) }
      guard !Task.isCancelled else { return }
      let limit = arguments["max_bytes"]?.int ?? ReplyBudget.standard
      let reply = ReplyBudget.fit(
        AgentAdvice.adapted(answer), to: Int(clamping: limit), canGrow: tool.hasSizeOption)
      // A client may show the text on a terminal.
      let text = String(decoding: Escaped.json(reply.encoded()), as: UTF8.self)
      send(session.answer(pending, text, isError: false))
    } catch {
      guard !Task.isCancelled else { return }
      fail(pending, Self.sentence(error))
    }
  }

  private func outcome(
    of tool: AgentTool, _ arguments: JSON.Object, _ use: AgentConnection.Use
  ) async -> Result<JSON, any Error> {
    let work = { @Sendable [self] (backend: any Backend) in try await run(tool, arguments, backend)
    }
    do {
      return .success(
        tool.isReadOnly
          ? try await connection.withBackend(for: use, work)
          : try await connection.withBackendOnce(for: use, work))
    } catch {
      return .failure(error)
    }
  }

  /// Why a call has no answer after its limit.
  private func lateness(of tool: AgentTool, _ limit: Duration) async -> ToolError {
    let isAnswered = await TimeLimit.run(Self.probeLimit, on: clock) { [connection] in
      await connection.isAnswered()
    }
    let ended =
      "'\(tool.name)' has no answer after \(limit.components.seconds) seconds, so it was canceled."
      + (tool.isReadOnly ? "" : " It may have been done: look with 'timelines'.")
    let advice: String =
      switch tool.allowance {
      case .short, .fork, .seconds: "Call it again when nothing else runs."
      case .long: "Ask the user to call 'debugd \(tool.name)' in a terminal, where it has no limit."
      }
    return ToolError(
      isAnswered == true
        ? "\(ended) The daemon answers other calls. \(advice)"
        : "\(ended) The daemon answers nothing. Ask the user to end it, and to run: "
          + connection.start)
  }

  private func run(
    _ tool: AgentTool, _ arguments: JSON.Object, _ backend: any Backend
  ) async throws -> JSON {
    let call = ToolCall(
      tool: tool, arguments: arguments,
      inquiry: Inquiry(asking: backend, arguments: self.arguments, terminal: quiet),
      scratch: scratch, exports: exports, connect: connection.open, clock: clock)
    try call.validate()
    if tool.need == .host {
      if !tool.isReadOnly { try await scratch.deleteExpired(on: backend) }
      guard try await Self.hasHost(backend) else {
        throw ToolError(
          "No host can run reducers, so nothing can be recomputed. Ask the user to run: debugd host "
            + "PATH_OF_THE_APP\(ServeSettings.dataOption(self.arguments))")
      }
    }
    return try await tool.run(call)
  }

  /// Clients that began with `initialize` learn when other tools can work.
  private func reportChangedTools() async {
    guard let offered, session.isNotified else { return }
    let now = await available().map(\.name)
    guard now != offered else { return }
    self.offered = now
    send(MCPSession.toolsChanged)
  }

  private func fail(_ pending: MCPSession.Pending, _ sentence: String) {
    send(session.answer(pending, sentence, isError: true))
  }

  /// A refusal may name an option of a command; the model has parameters instead. It may quote a
  /// recording, and a client may show it on a terminal.
  private static func sentence(_ error: any Error) -> String {
    AgentAdvice.adapted("\(error)").cut(toScalars: 2_000).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { Escaped.text(String($0)) }.joined(separator: "\n")
  }
}
