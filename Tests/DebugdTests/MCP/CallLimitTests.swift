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
    let daemon = try SilentDaemon(silentConnections: .max)
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
    let daemon = try SilentDaemon(silentConnections: 1)
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

  @Test("the connection of a late call is closed once no call uses it, although others go on")
  func closing() async throws {
    let daemon = try SilentDaemon(silentConnections: .max)
    var agent = try TestAgent(daemon, clock)
    let recording: JSON = .string(SilentDaemon.recording.text)
    await agent.call("explain", ["timeline": recording])
    try await reach { daemon.asked.count == 1 && clock.sleeperCount == 1 }
    // 'explain' still uses the connection that this call had.
    try await callLate("timelines", on: &agent, of: daemon)
    #expect(!daemon.closed.contains(1))
    // 2 asked if the daemon answers.
    try await callLate("timelines", on: &agent, of: daemon)
    #expect(daemon.closed.contains(3))
    #expect(!daemon.closed.contains(1))
    daemon.answer()
    await agent.call("timelines", [:])
    #expect(await !agent.reply().isError)
    #expect(daemon.connections == 5)
    // Its lateness does not end the connection on which the daemon answers.
    clock.advance(by: .seconds(490))
    #expect(await agent.reply().text.contains("'explain' has no answer after 600 seconds"))
    #expect(daemon.closed.contains(1))
    #expect(!daemon.closed.contains(5))
    await agent.call("timelines", [:])
    #expect(await !agent.reply().isError)
    #expect(daemon.connections == 6)
    await agent.end()
    #expect(daemon.closed.contains(5))
  }

  /// Calls a short tool, and waits for what it says about the daemon, which does not answer.
  private func callLate(
    _ tool: String, on agent: inout TestAgent, of daemon: SilentDaemon
  ) async throws {
    let asked = daemon.asked.count
    await agent.call(tool, [:])
    try await reach { daemon.asked.count == asked + 1 && clock.sleeperCount == 2 }
    clock.advance(by: .seconds(50))
    try await reach { daemon.asked.count == asked + 2 && clock.sleeperCount == 2 }
    clock.advance(by: .seconds(5))
    #expect(await agent.reply().text.contains("The daemon answers nothing."))
  }

  @Test("a branch that is not complete after fifty seconds is named")
  func fork() async throws {
    let daemon = try SilentDaemon()
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
