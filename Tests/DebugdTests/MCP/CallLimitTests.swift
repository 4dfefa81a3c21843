import DebugServer
import JSONCore
import StatesCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("How long an agent waits for an answer", .timeLimit(.minutes(10)))
struct CallLimitTests {
  private let clock = ManualClock()

  @Test("no tool waits without a limit", arguments: AgentTool.all.map(\.name))
  func limit(name: String) async throws {
    let tool = try #require(AgentTool.all.first { $0.name == name })
    let daemon = SilentDaemon(silentConnections: .max)
    var agent = try TestAgent(daemon, clock)
    let arguments = tool.leastArguments
    let limit = tool.allowance.duration(arguments)
    await agent.call(name, arguments)
    try await advance(by: limit - .seconds(1))
    #expect(clock.sleeperCount == 1)
    try await advance(by: .seconds(1))
    // What follows asks whether the daemon answers at all.
    try await advance(by: .seconds(5))
    let reply = await agent.reply()
    #expect(reply.isError)
    let change = tool.isReadOnly ? "" : " It may have been done: look with 'timelines'."
    #expect(
      reply.text
        == """
        '\(name)' has no answer after \(limit.components.seconds) seconds, so it was canceled.\
        \(change) The daemon answers nothing. Ask the user to end it, and to run: debugd serve
        """)
    daemon.answer()
    await agent.call("timelines", [:])
    #expect(await agent.reply().text.contains(SilentDaemon.recording.text))
    await agent.end()
  }

  @Test("the limits are these")
  func limits() {
    let limits = AgentTool.all.map { tool in
      (tool.name, tool.allowance.duration(tool.leastArguments).components.seconds)
    }
    let longer = Dictionary(uniqueKeysWithValues: limits.filter { $0.1 != 50 })
    #expect(
      longer == ["fork": 55, "minimize": 120, "explore": 120, "explain": 600, "verify": 600])
    #expect(AgentTool.minimize.allowance.duration(["seconds": 600]) == .seconds(660))
    // They are refused, and must not end the call before that.
    let refused: [Int64] = [Int64.min, -60, Int64.max - 60, Int64.max]
    let durations: [Duration] = refused.map { number in
      AgentTool.minimize.allowance.duration(["seconds": .number(JSON.Number(number))])
    }
    #expect(durations == [.seconds(61), .seconds(61), .seconds(660), .seconds(660)])
  }

  @Test("a call without an answer says if the daemon answers others, and the next one works")
  func slowCall() async throws {
    let daemon = SilentDaemon(silentConnections: 1)
    var agent = try TestAgent(daemon, clock)
    await agent.call("timelines", [:])
    try await advance(by: .seconds(50))
    #expect(
      await agent.reply().text
        == """
        'timelines' has no answer after 50 seconds, so it was canceled. The daemon answers other \
        calls. Call it again when nothing else runs.
        """)
    await agent.call("timelines", [:])
    #expect(await agent.reply().text.contains(SilentDaemon.recording.text))
    // The silent one, the one that asked if the daemon answers, and the next call's.
    #expect(daemon.connections == 3)
    await agent.end()
  }

  @Test("a branch that is not complete after fifty seconds is named")
  func fork() async throws {
    let daemon = SilentDaemon(silentConnections: 0)
    var agent = try TestAgent(daemon, clock)
    await agent.call("fork", ["timeline": .string(SilentDaemon.recording.text), "edits": []])
    try await reach { daemon.isWatched && clock.sleeperCount == 2 }
    try await advance(by: .seconds(49))
    #expect(clock.sleeperCount == 2)
    try await advance(by: .seconds(1))
    let reply = await agent.reply()
    #expect(!reply.isError)
    #expect(
      try JSON(parsing: Array(reply.text.utf8)) == [
        "branch": .string(SilentDaemon.branch.text),
        "note": """
        The branch is still being computed. It goes on by itself: compare it later, with 'diff' and \
        'other'.
        """,
      ])
    await agent.end()
  }

  /// Advances the clock once something waits for it.
  private func advance(by duration: Duration) async throws {
    try await reach { clock.sleeperCount > 0 }
    clock.advance(by: duration)
  }

  /// Lets other tasks go on until a condition holds.
  private func reach(_ condition: () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

extension AgentTool {
  /// The arguments without which it is refused.
  fileprivate var leastArguments: JSON.Object {
    var arguments = JSON.Object()
    for parameter in parameters where parameter.isRequired {
      switch parameter.kind {
      case .text: arguments[parameter.name] = "last"
      case .objects: arguments[parameter.name] = [["drop": 1]]
      case .number, .any: arguments[parameter.name] = 1
      case .flag: arguments[parameter.name] = true
      case .choice(let words): arguments[parameter.name] = .string(words.first ?? "")
      }
    }
    return arguments
  }
}

/// Calls tools of a server in this process, whose limits a test's clock decides.
private struct TestAgent {
  private let server: MCPServer
  private let replies: AsyncStream<JSON>
  private var id = 0

  init(_ daemon: SilentDaemon, _ clock: ManualClock) throws {
    let (replies, continuation) = AsyncStream.makeStream(of: JSON.self)
    self.replies = replies
    guard
      case .run(let arguments) = try ArgumentParser(commands: [.mcp]).parse(
        ["mcp"], environment: [:])
    else { throw CommandError("The arguments are invalid.") }
    let connection = AgentConnection(start: "debugd serve") { daemon.open() }
    server = MCPServer(
      connection, arguments, consent: MCPServer.Consent(control: true, hosts: true), clock: clock
    ) { line in
      _ = (try? JSON(parsing: line)).map { continuation.yield($0) }
    }
  }

  mutating func call(_ tool: String, _ arguments: JSON.Object) async {
    id += 1
    let request: JSON = [
      "jsonrpc": "2.0", "id": .count(id), "method": "tools/call",
      "params": [
        "_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"], "name": .string(tool),
        "arguments": .object(arguments),
      ],
    ]
    await server.receive(request.encoded())
  }

  func reply() async -> (text: String, isError: Bool) {
    for await reply in replies {
      let result = reply["result"]
      return (result?["content"]?[0]?["text"]?.string ?? "", result?["isError"] == true)
    }
    return ("", true)
  }

  func end() async { await server.finish() }
}
