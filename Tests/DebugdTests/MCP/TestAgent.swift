import DebugServer
import JSONCore

@testable import debugd

/// Calls tools of a server in this process, whose limits a test's clock decides.
struct TestAgent {
  private let server: MCPServer
  private let replies: AsyncStream<JSON>
  private var id = 0

  init(_ daemon: SilentDaemon, _ clock: any Clock<Duration> = ContinuousClock()) throws {
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
