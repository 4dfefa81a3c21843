import DebugServer
import Foundation
import JSONCore

extension CommandSpec {
  static let mcp = CommandSpec(
    name: "mcp", summary: "serve recordings to a coding agent over the Model Context Protocol",
    options: [
      .value(
        "allow", nil, "WHAT", "also let the agent drive live machines, or start hosts",
        choices: ["control", "hosts"], repeats: true),
      .value(
        "print", nil, "CLIENT", "print the client's configuration, or the skill for the model",
        choices: MCPClient.allCases.map(\.rawValue) + ["skill"]),
      .data, .socket,
    ],
    details: """
      The agent's program starts this command, and talks to it on standard input and output. The agent \
      can read recordings, make branches, minimize, verify, and export tests. A running daemon answers; \
      no port is opened. Branches of the tool 'fork' that the agent does not keep are deleted after an \
      hour; those of 'minimize' and 'explore' stay.
      """,
    need: .nothing,
    examples: [
      ("debugd mcp --print claude", "what to add to the client's configuration"),
      ("debugd mcp --print skill > SKILL.md", "how a model should investigate"),
      ("debugd mcp --allow control", "the agent may also send events to the running app"),
    ]
  ) { arguments, terminal in
    if let word = arguments.value("print") {
      terminal.print(
        MCPClient(rawValue: word)?.configuration(arguments, on: terminal) ?? SkillText.skill)
      return .done
    }
    let configuration = try ServeSettings.quiet(arguments, ProcessInfo.processInfo.environment)
    let allowed = arguments.values["allow"] ?? []
    let server = MCPServer(
      AgentConnection(configuration), arguments,
      consent: MCPServer.Consent(
        control: allowed.contains("control"), hosts: allowed.contains("hosts"))
    ) { line in terminal.write(line + [UInt8(ascii: "\n")]) }
    let input = InputLines(maximumBytes: MCPMessage.maximumBytes)
    do {
      while let line = try await input.next() { await server.receive(line) }
    } catch {
      await server.finish()
      throw error
    }
    await server.finish()
    return .done
  }
}

/// The programs whose configuration `debugd mcp --print` writes.
enum MCPClient: String, CaseIterable {
  case claude, codex, cursor, vscode

  /// What to put into the client's configuration, with a comment where its format has comments.
  func configuration(_ arguments: ParsedArguments, on terminal: Terminal) -> String {
    let words = ["mcp"] + Self.options(arguments)
    let list = JSON.array(words.map { .string($0) })
    let server: JSON.Object = ["command": .string(Self.executable), "args": list]
    switch self {
    case .claude, .cursor:
      return PrettyJSON.lines(["mcpServers": ["stateline": .object(server)]], on: terminal)
    case .vscode:
      var typed: JSON.Object = ["type": "stdio"]
      for (key, value) in server { typed[key] = value }
      return PrettyJSON.lines(["servers": ["stateline": .object(typed)]], on: terminal)
    case .codex:
      let command = String(decoding: JSON.string(Self.executable).encoded(), as: UTF8.self)
      let args = String(decoding: list.encoded(), as: UTF8.self)
      return "[mcp_servers.stateline]\ncommand = \(command)\nargs = \(args)"
    }
  }

  /// The path of this program: clients have a search path of their own.
  private static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? ServeSettings.absolute(CommandLine.arguments.first ?? "debugd")
  }

  private static func options(_ arguments: ParsedArguments) -> [String] {
    var words: [String] = []
    for name in ["data", "socket"] {
      if let path = arguments.value(name) { words += ["--\(name)", ServeSettings.absolute(path)] }
    }
    for word in arguments.values["allow"] ?? [] { words += ["--allow", word] }
    return words
  }
}
